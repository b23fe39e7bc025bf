(** Lazy refinement by rejection: tacit.exact.rising.

    A level [T] is drawn with weight [count T * exp (- rate * T)], where [count] rises and costs
    something to compute. Blocks of levels, refined where the weight lies, carry a number that no
    count in them exceeds. A round draws a block by that number, a level in it, and accepts or
    rejects it by its own count; rounds are repeated until one accepts. Whatever the blocks are and
    however large their numbers, what is returned has the law of the counts themselves. *)
From Coq Require Import Reals Lra List Bool Lia ZArith Arith.
From Coquelicot Require Import Coquelicot.
From Tacit Require Import Sums Definitions Selection.
Import ListNotations.
Open Scope R_scope.

Section Rising.
  Variable rate : R.
  Hypothesis rate_positive : 0 < rate.
  Let x := exp (- rate).

  Lemma x_bounds : 0 < x < 1.
  Proof.
    unfold x. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra.
  Qed.

  Lemma power_positive n : 0 < x ^ n.
  Proof. apply pow_lt. apply x_bounds. Qed.

  Lemma power_below_1 n : (0 < n)%nat -> x ^ n < 1.
  Proof.
    intros H. destruct n as [|n]; [lia|]. pose proof x_bounds. cbn [pow].
    assert (0 < x ^ n <= 1). { split; [apply power_positive|]. rewrite <- (pow1 n). apply pow_incr. lra. }
    apply Rle_lt_trans with (x * 1); [apply Rmult_le_compat_l; lra|lra].
  Qed.

  (** The place in a block of [length] levels. *)
  Definition offset (length i : nat) : R := (1 - x) * x ^ i / (1 - x ^ length).

  (** A geometric number, modulo the length of a block, is the place in it. *)
  (* code: tacit.exact.rising.rising_level
     0 < rate <- refuses rate <= 0 or top < 0
     (0 < length)%nat <- object tacit.exact.rising._offset: a geometric number modulo ``length``. *)
  Theorem offset_modulo length i : (0 < length)%nat ->
    is_series (fun j => (1 - x) * x ^ (i + j * length)) (offset length i).
  Proof.
    intros Hl. pose proof (power_below_1 length Hl) as H1. pose proof (power_positive length) as H0.
    unfold offset. replace ((1 - x) * x ^ i / (1 - x ^ length))
      with (((1 - x) * x ^ i) * / (1 - x ^ length)) by reflexivity.
    apply (is_series_ext (fun j => ((1 - x) * x ^ i) * (x ^ length) ^ j)).
    { intros j. rewrite pow_add, Nat.mul_comm, pow_mult. apply Rmult_assoc. }
    assert (G : is_series (fun j => (x ^ length) ^ j) (/ (1 - x ^ length)))
      by (apply is_series_geom, Rabs_def1; lra).
    exact (is_series_scal ((1 - x) * x ^ i) _ _ G).
  Qed.

  (** How many candidates a level has; levels from [top] on are all the same. *)
  Variable count : nat -> nat.
  Variable top : nat.
  Hypothesis some : (0 < count top)%nat.

  (** Blocks [(a, b)] of the levels from [a] to [b - 1], and what no count of a block exceeds. *)
  Variable blocks : list (nat * nat).
  Variable upper : nat * nat -> R.
  Definition span (b : nat * nat) : list nat := seq (fst b) (snd b - fst b).

  (** The blocks lie apart below [top], none is empty, and what they leave out counts nothing. *)
  Definition envelope : Prop :=
    NoDup (flat_map span blocks) /\
    (forall b, In b blocks -> (fst b < snd b <= top)%nat /\ 0 < upper b) /\
    (forall T, (T < top)%nat -> ~ In T (flat_map span blocks) -> count T = 0%nat) /\
    (forall b T, In b blocks -> In T (span b) -> INR (count T) <= upper b).

  (** ** One round *)

  Definition block_weight (b : nat * nat) : R := upper b * (x ^ fst b - x ^ snd b).
  Definition whole_weight : R := INR (count top) * x ^ top + sum blocks block_weight.

  (** A round returns [T]: the levels from [top] on are always accepted. *)
  Definition once (T : nat) : R :=
    (if Nat.eq_dec T top then INR (count top) * x ^ top / whole_weight else 0) +
    sum blocks (fun b => if in_dec Nat.eq_dec T (span b)
      then block_weight b / whole_weight * offset (snd b - fst b) (T - fst b) * (INR (count T) / upper b)
      else 0).

  (** A round rejects. *)
  Definition rejects : R :=
    sum blocks (fun b => block_weight b / whole_weight *
      sum (span b) (fun T => offset (snd b - fst b) (T - fst b) * (1 - INR (count T) / upper b))).

  (** [T] is returned within [n] rounds. *)
  Fixpoint returned (n : nat) (T : nat) : R :=
    match n with
    | O => 0
    | S k => once T + rejects * returned k T
    end.

  (** ** The law of the counts *)

  (** The weight of [T]; all levels from [top] on stand in [top]. Both times [1 - x]. *)
  Definition level_weight (T : nat) : R :=
    (if Nat.eq_dec T top then 1 else 1 - x) * INR (count T) * x ^ T.
  Definition levels_weight : R := sum (seq 0 (S top)) level_weight.
  Definition level_law (T : nat) : R :=
    if le_dec T top then level_weight T / levels_weight else 0.

  Lemma level_weight_nonneg T : 0 <= level_weight T.
  Proof.
    pose proof x_bounds. pose proof (power_positive T). unfold level_weight.
    apply Rmult_le_pos; [apply Rmult_le_pos; [destruct (Nat.eq_dec _ _); lra|apply pos_INR]|lra].
  Qed.

  Lemma levels_weight_positive : 0 < levels_weight.
  Proof.
    apply Rlt_le_trans with (level_weight top).
    - unfold level_weight. destruct (Nat.eq_dec top top); [|congruence]. rewrite Rmult_1_l.
      apply Rmult_lt_0_compat; [now apply lt_0_INR|apply power_positive].
    - apply sum_term; [apply in_seq; lia|]. intros; apply level_weight_nonneg.
  Qed.

  Lemma geometric_sum a n : sum (seq a n) (fun T => (1 - x) * x ^ (T - a)) = 1 - x ^ n.
  Proof.
    induction n as [|n IH]; [simpl; lra|]. rewrite seq_S, sum_app, IH, sum_cons, sum_nil.
    replace (a + n - a)%nat with n by lia. cbn [pow]. lra.
  Qed.

  Lemma offset_sum b : (fst b < snd b)%nat ->
    sum (span b) (fun T => offset (snd b - fst b) (T - fst b)) = 1.
  Proof.
    intros H. assert (Hl := power_below_1 (snd b - fst b) ltac:(lia)). unfold span, offset.
    rewrite (sum_ext _ _ (fun T => (1 - x) * x ^ (T - fst b) * / (1 - x ^ (snd b - fst b)))) by reflexivity.
    rewrite sum_scal_r, geometric_sum. field. lra.
  Qed.

  Section Round.
    Hypothesis cover : envelope.

    Lemma block_facts b : In b blocks ->
      (fst b < snd b <= top)%nat /\ 0 < upper b /\ 0 < block_weight b /\
      block_weight b = upper b * x ^ fst b * (1 - x ^ (snd b - fst b)).
    Proof.
      intros Hb. destruct cover as (_ & H & _). destruct (H b Hb) as [Hs Hu].
      assert (E : block_weight b = upper b * x ^ fst b * (1 - x ^ (snd b - fst b))).
      { unfold block_weight. replace (snd b) with (fst b + (snd b - fst b))%nat at 1 by lia.
        rewrite pow_add. ring. }
      repeat split; try lia; try assumption. rewrite E.
      pose proof (power_below_1 (snd b - fst b) ltac:(lia)). pose proof (power_positive (fst b)).
      apply Rmult_lt_0_compat; [|lra]. now apply Rmult_lt_0_compat.
    Qed.

    Lemma whole_weight_positive : 0 < whole_weight.
    Proof.
      unfold whole_weight. apply Rplus_lt_le_0_compat.
      - apply Rmult_lt_0_compat; [now apply lt_0_INR|apply power_positive].
      - apply sum_nonneg. intros b Hb. apply Rlt_le, (block_facts b Hb).
    Qed.

    (** In its block a level is returned by its own weight: the block's number cancels. *)
    Lemma accepted b T : In b blocks -> In T (span b) ->
      block_weight b / whole_weight * offset (snd b - fst b) (T - fst b) * (INR (count T) / upper b)
      = level_weight T / whole_weight.
    Proof.
      intros Hb HT. destruct (block_facts b Hb) as (Hs & Hu & _ & E).
      pose proof whole_weight_positive as HW.
      apply in_seq in HT. pose proof (power_below_1 (snd b - fst b) ltac:(lia)) as Hl.
      unfold level_weight. destruct (Nat.eq_dec T top); [lia|].
      replace (x ^ T) with (x ^ fst b * x ^ (T - fst b)) by (rewrite <- pow_add; f_equal; lia).
      rewrite E. unfold offset. field. repeat split; lra.
    Qed.

    Lemma once_is T : (T <= top)%nat -> once T = level_weight T / whole_weight.
    Proof.
      intros HT. unfold once. destruct (Nat.eq_dec T top) as [E|E].
      - rewrite sum_zero.
        + subst T. unfold level_weight. destruct (Nat.eq_dec top top); [|congruence].
          rewrite Rmult_1_l, Rplus_0_r. reflexivity.
        + intros b Hb. destruct (in_dec _ _ _) as [HI|]; [|reflexivity]. apply in_seq in HI.
          pose proof (block_facts b Hb). lia.
      - rewrite Rplus_0_l. destruct cover as (Hd & _ & Hout & _).
        destruct (in_dec Nat.eq_dec T (flat_map span blocks)) as [HI|HI].
        + assert (G : forall l, incl l blocks -> NoDup (flat_map span l) ->
            sum l (fun b => if in_dec Nat.eq_dec T (span b)
              then block_weight b / whole_weight * offset (snd b - fst b) (T - fst b) * (INR (count T) / upper b)
              else 0)
            = if in_dec Nat.eq_dec T (flat_map span l) then level_weight T / whole_weight else 0).
          { induction l as [|b l IH]; intros Hi Hn; [reflexivity|]. rewrite sum_cons.
            cbn [flat_map] in *. assert (Hn' : NoDup (flat_map span l)).
            { clear - Hn. induction (span b) as [|a s IHs]; [assumption|]. apply IHs. now inversion Hn. }
            rewrite IH; [|intros c Hc; apply Hi; now right|assumption].
            destruct (in_dec Nat.eq_dec T (span b)) as [H1|H1].
            - rewrite accepted by (auto; apply Hi; now left).
              destruct (in_dec Nat.eq_dec T (flat_map span l)) as [H2|H2].
              + exfalso. clear - Hn H1 H2. induction (span b) as [|a s IHs]; [contradiction|].
                inversion Hn; subst. destruct H1 as [->|H1]; [|auto].
                apply H3. apply in_or_app. now right.
              + destruct (in_dec _ _ _) as [|N]; [lra|]. destruct N. apply in_or_app. now left.
            - destruct (in_dec Nat.eq_dec T (flat_map span l)) as [H2|H2];
                destruct (in_dec Nat.eq_dec T (span b ++ flat_map span l)) as [H3|H3]; try lra.
              + destruct H3. apply in_or_app. now right.
              + apply in_app_or in H3. tauto. }
          rewrite (G blocks (incl_refl _) Hd). destruct (in_dec _ _ _); [reflexivity|contradiction].
        + assert (Z : count T = 0%nat) by (apply Hout; [lia|assumption]).
          unfold level_weight. rewrite Z. cbn [INR].
          rewrite sum_zero; [unfold Rdiv; ring|]. intros b _.
          destruct (in_dec _ _ _); [unfold Rdiv; ring|reflexivity].
    Qed.

    Lemma round_complete : sum (seq 0 (S top)) once + rejects = 1.
    Proof.
      pose proof whole_weight_positive as HW.
      assert (E : sum (seq 0 (S top)) once
        = INR (count top) * x ^ top / whole_weight + sum blocks (fun b => block_weight b / whole_weight *
            sum (span b) (fun T => offset (snd b - fst b) (T - fst b) * (INR (count T) / upper b)))).
      { unfold once. rewrite sum_plus. f_equal.
        - rewrite (sum_ext _ _ (fun T => if Nat.eqb T top then INR (count top) * x ^ top / whole_weight else 0)).
          + rewrite (sum_pick Nat.eqb _ top (fun _ => INR (count top) * x ^ top / whole_weight));
              [|apply Nat.eqb_eq|apply seq_NoDup].
            assert (B : existsb (fun T => Nat.eqb T top) (seq 0 (S top)) = true).
            { apply existsb_exists. exists top. split; [apply in_seq; lia|apply Nat.eqb_refl]. }
            now rewrite B.
          + intros T _. destruct (Nat.eq_dec T top) as [->|N]; [now rewrite Nat.eqb_refl|].
            apply Nat.eqb_neq in N. now rewrite N.
        - rewrite sum_swap. apply sum_ext. intros b Hb. destruct (block_facts b Hb) as (Hs & _).
          rewrite <- sum_scal.
          assert (P : forall (f : nat -> R), sum (seq 0 (S top)) (fun T => if in_dec Nat.eq_dec T (span b) then f T else 0)
                      = sum (span b) f).
          { intros f. unfold span.
            replace (S top) with (fst b + ((snd b - fst b) + (S top - snd b)))%nat by lia.
            rewrite !seq_app, !sum_app. cbn [Nat.add].
            rewrite (sum_zero (seq 0 (fst b))), (sum_zero (seq (fst b + (snd b - fst b)) _));
              [rewrite (sum_ext (seq (fst b) (snd b - fst b)) _ f); [lra|]| |]; intros T HT;
              (destruct (in_dec _ _ _) as [HI|]; [|now try contradiction]); try reflexivity;
              apply in_seq in HT; apply in_seq in HI; lia. }
          rewrite P. apply sum_ext. intros T _. ring. }
      rewrite E. unfold rejects. rewrite Rplus_assoc, <- sum_plus.
      rewrite (sum_ext blocks _ (fun b => block_weight b * / whole_weight)).
      - rewrite sum_scal_r. unfold whole_weight in *. field. lra.
      - intros b Hb. destruct (block_facts b Hb) as (Hs & _).
        rewrite <- Rmult_plus_distr_l, <- sum_plus.
        rewrite (sum_ext _ _ (fun T => offset (snd b - fst b) (T - fst b))) by (intros; ring).
        rewrite offset_sum by lia. unfold Rdiv. ring.
    Qed.

    Lemma rejects_is : rejects = 1 - levels_weight / whole_weight.
    Proof.
      pose proof round_complete as R. rewrite (sum_ext _ _ (fun T => level_weight T * / whole_weight)) in R.
      - rewrite sum_scal_r in R. fold levels_weight in R. unfold Rdiv. lra.
      - intros T HT. apply in_seq in HT. apply once_is. lia.
    Qed.

    Lemma rejects_bounds : 0 <= rejects < 1.
    Proof.
      split.
      - apply sum_nonneg. intros b Hb. destruct (block_facts b Hb) as (Hs & Hu & Hw & _).
        pose proof whole_weight_positive.
        apply Rmult_le_pos; [apply Rlt_le, Rdiv_lt_0_compat; assumption|].
        apply sum_nonneg. intros T HT. destruct cover as (_ & _ & _ & Hup).
        pose proof (Hup b T Hb HT). pose proof x_bounds.
        pose proof (power_below_1 (snd b - fst b) ltac:(lia)). pose proof (power_positive (T - fst b)).
        apply Rmult_le_pos.
        + unfold offset. apply Rlt_le, Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra|lra].
        + assert (INR (count T) / upper b <= 1); [|lra].
          apply (Rmult_le_reg_r (upper b)); [assumption|]. unfold Rdiv.
          rewrite Rmult_assoc, Rinv_l by lra. lra.
      - rewrite rejects_is. pose proof levels_weight_positive. pose proof whole_weight_positive.
        assert (0 < levels_weight / whole_weight) by now apply Rdiv_lt_0_compat. lra.
    Qed.
  End Round.

  (** Whatever the envelope: among what is returned within [n] rounds each level has its share. *)
  (* code: tacit.exact.rising.rising_level
     0 < rate <- refuses rate <= 0 or top < 0
     (0 < count top)%nat <- requires where it is positive
     envelope <- object tacit.exact.rising._envelope: Blocks ``[start, end)`` that cover the levels below ``top`` whose count is not 0. *)
  Theorem rising_returned n T : envelope -> returned n T = level_law T * (1 - rejects ^ n).
  Proof.
    intros He. pose proof levels_weight_positive. pose proof (whole_weight_positive He).
    assert (O : once T = level_law T * (1 - rejects)).
    { unfold level_law. destruct (le_dec T top) as [HT|HT].
      - rewrite (once_is He T HT), (rejects_is He). field. lra.
      - unfold once. destruct (Nat.eq_dec T top); [lia|]. rewrite sum_zero; [ring|]. intros b Hb.
        destruct (in_dec _ _ _) as [HI|]; [|reflexivity].
        apply in_seq in HI. pose proof (block_facts He b Hb). lia. }
    induction n as [|n IH]; cbn [returned pow]; [ring|]. rewrite IH, O. ring.
  Qed.

  (** And rounds end: what is returned has the law of the counts. *)
  (* code: tacit.exact.rising.rising_level
     0 < rate <- refuses rate <= 0 or top < 0
     (0 < count top)%nat <- requires where it is positive
     envelope <- object tacit.exact.rising._envelope: Blocks ``[start, end)`` that cover the levels below ``top`` whose count is not 0. *)
  Theorem rising_law T : envelope ->
    finite_law (seq 0 (S top)) level_law /\ is_lim_seq (fun n => returned n T) (level_law T).
  Proof.
    intros He. pose proof levels_weight_positive as HL. split.
    - split; [apply seq_NoDup|]. split; [|split].
      + intros o. unfold level_law. destruct (le_dec _ _); [|lra].
        apply Rmult_le_pos; [apply level_weight_nonneg|]. apply Rlt_le, Rinv_0_lt_compat, HL.
      + intros o Ho. unfold level_law. destruct (le_dec _ _); [|reflexivity].
        exfalso. apply Ho, in_seq. lia.
      + rewrite (sum_ext _ _ (fun T => level_weight T * / levels_weight)).
        * rewrite sum_scal_r. fold levels_weight. field. lra.
        * intros o Ho. apply in_seq in Ho. unfold level_law. destruct (le_dec _ _); [reflexivity|lia].
    - apply (is_lim_seq_ext (fun n => level_law T * (1 - rejects ^ n))).
      { intros n. symmetry. now apply rising_returned. }
      assert (L : is_lim_seq (fun n => rejects ^ n) 0).
      { apply is_lim_seq_geom. pose proof (rejects_bounds He). apply Rabs_def1; lra. }
      replace (Finite (level_law T)) with (Finite (level_law T * (1 - 0))) by (f_equal; ring).
      apply (is_lim_seq_scal_l (fun n => 1 - rejects ^ n) (level_law T) (1 - 0)).
      apply is_lim_seq_minus'; [apply is_lim_seq_const|exact L].
  Qed.
End Rising.

(** The number that the code gives to a block: the count at its end, or of its one level. *)
(* code: tacit.exact.rising.rising_level
   (forall i j, (i <= j)%nat -> (count i <= count j)%nat) <- requires `count` never falls
   In T (span b) <- object tacit.exact.rising._upper: A number that no count of the block exceeds. *)
Theorem upper_enough (count : nat -> nat) (b : nat * nat) (T : nat) :
  (forall i j, (i <= j)%nat -> (count i <= count j)%nat) -> In T (span b) ->
  INR (count T) <= INR (if Nat.eqb (snd b) (S (fst b)) then count (fst b) else count (snd b)).
Proof.
  intros Hr HT. apply in_seq in HT. apply le_INR.
  destruct (Nat.eqb_spec (snd b) (S (fst b))); apply Hr; lia.
Qed.

(** ** What it is for: a level, then a uniform candidate up to it

    If [count T] counts the candidates of error [T] or less, a uniform one of them is the
    exponential mechanism. *)
Lemma exp_power rate n : exp (- rate * INR n) = exp (- rate) ^ n.
Proof.
  induction n as [|n IH]; [simpl; rewrite Rmult_0_r; apply exp_0|].
  rewrite S_INR. cbn [pow]. rewrite <- IH, <- exp_plus. f_equal. ring.
Qed.

Section Use.
  Context {C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable rate : R.
  Variable candidates : list C.
  Variable err : C -> nat.
  Variable top : nat.
  Let x := exp (- rate).

  Definition up_to (T : nat) : list C := filter (fun r => Nat.leb (err r) T) candidates.
  Definition number_up_to (T : nat) : nat := length (up_to T).

  (** A level by its law, then one of the candidates up to it. *)
  Definition level_then_uniform (r : C) : R :=
    sum (seq 0 (S top)) (fun T => level_law rate number_up_to top T *
      (if in_dec eq_dec r (up_to T) then / INR (number_up_to T) else 0)).

  (* code: tacit.exact.rising.rising_level
     (forall s, In s candidates -> (err s <= top)%nat) <- requires constant from `top` *)
  Theorem rising_exponential r : (forall s, In s candidates -> (err s <= top)%nat) ->
    level_then_uniform r
    = exponential eq_dec candidates (fun (_ : unit) s => INR (err s)) rate tt r.
  Proof.
    intros Htop. destruct (in_dec eq_dec r candidates) as [Hr|Hr].
    2: { unfold exponential. destruct (in_dec eq_dec r candidates); [contradiction|].
         apply sum_zero. intros T _. destruct (in_dec _ _ _) as [HI|]; [|ring].
         apply filter_In in HI. tauto. }
    assert (Tail : forall e, (e <= top)%nat ->
      sum (seq e (S top - e)) (fun T => (if Nat.eq_dec T top then 1 else 1 - x) * x ^ T) = x ^ e).
    { intros e He. remember (top - e)%nat as k eqn:Ek. revert e He Ek.
      induction k as [|k IH]; intros e He Ek.
      - replace e with top by lia. replace (S top - top)%nat with 1%nat by lia. cbn [seq].
        rewrite sum_cons, sum_nil. destruct (Nat.eq_dec top top); [lra|congruence].
      - replace (S top - e)%nat with (S (S top - S e)) by lia. cbn [seq].
        rewrite sum_cons, IH by lia. destruct (Nat.eq_dec e top); [lia|]. cbn [pow]. lra. }
    assert (Split : forall e (f : nat -> R), (e <= top)%nat ->
      sum (seq 0 (S top)) (fun T => if Nat.leb e T then f T else 0) = sum (seq e (S top - e)) f).
    { intros e f He. replace (S top) with (e + (S top - e))%nat at 1 by lia.
      rewrite seq_app, sum_app, sum_zero.
      - cbn [Nat.add]. rewrite Rplus_0_l. apply sum_ext. intros T HT. apply in_seq in HT.
        destruct (Nat.leb_spec e T); [reflexivity|lia].
      - intros T HT. apply in_seq in HT. destruct (Nat.leb_spec e T); [lia|reflexivity]. }
    assert (W : levels_weight rate number_up_to top
                = total candidates (fun (_ : unit) s => INR (err s)) rate tt).
    { unfold levels_weight, total.
      rewrite (sum_ext _ _ (fun T => sum candidates (fun s => if Nat.leb (err s) T
        then (if Nat.eq_dec T top then 1 else 1 - x) * x ^ T else 0))).
      - rewrite sum_swap. apply sum_ext. intros s Hs. rewrite Split, Tail by auto.
        unfold weight, x. now rewrite exp_power.
      - intros T _. unfold level_weight, number_up_to, up_to. fold x.
        rewrite <- sum_filter, sum_const. ring. }
    assert (Hpos : 0 < total candidates (fun (_ : unit) s => INR (err s)) rate tt).
    { apply total_pos. intros E. now rewrite E in Hr. }
    unfold exponential. destruct (in_dec eq_dec r candidates); [|contradiction].
    rewrite <- W in *. set (V := levels_weight rate number_up_to top) in *.
    unfold level_then_uniform.
    rewrite (sum_ext _ _ (fun T => (if Nat.leb (err r) T
      then (if Nat.eq_dec T top then 1 else 1 - x) * x ^ T else 0) * / V)).
    - rewrite sum_scal_r, Split, Tail by auto. unfold weight, x. now rewrite exp_power.
    - intros T HT. apply in_seq in HT. unfold level_law. destruct (le_dec T top); [|lia]. fold V.
      destruct (in_dec eq_dec r (up_to T)) as [HI|HI].
      + assert (0 < INR (number_up_to T)).
        { apply lt_0_INR. unfold number_up_to. destruct (up_to T); [contradiction|simpl; lia]. }
        apply filter_In in HI as [_ HI]. rewrite HI. unfold level_weight. fold x. field. lra.
      + destruct (Nat.leb (err r) T) eqn:E; [|lra]. destruct HI. now apply filter_In.
  Qed.
End Use.
