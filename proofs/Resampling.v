(** Drawing with replacement (tacit.mechanisms.amplification): the corrected and sharpened
    Lemma 29 of Bun, Nissim and Stemmer. Of [m] records [n] are drawn, not the other way
    round as printed:

      epsilon' = n ln (1 + (exp epsilon - 1) / m)
      delta'   = delta (exp epsilon' - 1) / (exp epsilon - 1).  *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Composition.
Import ListNotations.
Open Scope R_scope.

(** [inner] on [draws] records, each drawn uniformly and independently from the data.
    [samples S draws] lists all sequences of [draws] records of [S], one for each choice of
    positions; each has probability [1 / m ^ draws]. *)
Definition resampled {record O : Type} (draws : nat) (inner : mechanism (list record) O)
  : mechanism (list record) O :=
  fun S o => / INR (length S) ^ draws * sum (samples S draws) (fun T => inner T o).

(** Neighbours with a given number of records. *)
Definition replace_one_of {record : Type} (n : nat) (S S' : list record) : Prop :=
  length S = n /\ replace_one S S'.

Lemma samples_number {Z} (l : list Z) n : INR (length (samples l n)) = INR (length l) ^ n.
Proof.
  induction n as [|n IH]; simpl; [reflexivity|]. rewrite <- IH, <- mult_INR. f_equal.
  clear IH. generalize (samples l n) as s. intros s.
  induction l as [|x l IHl]; simpl; [reflexivity|]. now rewrite app_length, map_length, IHl.
Qed.

Section Average.
  Context {record : Type}.

  (** The mean of [g] over all draws. *)
  Definition mean (S : list record) (n : nat) (g : list record -> R) : R :=
    / INR (length S) ^ n * sum (samples S n) g.

  Lemma mean_0 S g : mean S 0 g = g [].
  Proof. unfold mean. simpl. field. Qed.

  (** The first draw, then the others. *)
  Lemma mean_S S n g : (0 < length S)%nat ->
    mean S (Datatypes.S n) g = / INR (length S) * sum S (fun z => mean S n (fun T => g (z :: T))).
  Proof.
    intros HS. assert (INR (length S) <> 0) by (apply not_0_INR; lia). unfold mean.
    simpl samples. rewrite sum_flat_map, sum_scal.
    rewrite (sum_ext S _ (fun z => sum (samples S n) (fun T => g (z :: T))))
      by (intros z _; apply sum_map).
    simpl. field. split; [now apply pow_nonzero|assumption].
  Qed.

  Lemma mean_swap S n (l : list record) (g : record -> list record -> R) :
    sum l (fun z => mean S n (g z)) = mean S n (fun T => sum l (fun z => g z T)).
  Proof. unfold mean. rewrite sum_scal. now rewrite sum_swap. Qed.

  Lemma mean_le S n g g' : (0 < length S)%nat -> (forall T, length T = n -> g T <= g' T) ->
    mean S n g <= mean S n g'.
  Proof.
    intros HS H. unfold mean. apply Rmult_le_compat_l.
    - left. apply Rinv_0_lt_compat, pow_lt, lt_0_INR, HS.
    - apply sum_le. intros T HT. apply H. clear - HT. revert T HT.
      induction n as [|n IH]; simpl; intros T HT; [destruct HT as [<-|[]]; reflexivity|].
      apply in_flat_map in HT. destruct HT as (z & _ & HT). apply in_map_iff in HT.
      destruct HT as (T' & <- & HT'). simpl. f_equal. now apply IH.
  Qed.

  Lemma mean_affine S n g a b : (0 < length S)%nat ->
    mean S n (fun T => a * g T + b) = a * mean S n g + b.
  Proof.
    intros HS. assert (INR (length S) <> 0) by (apply not_0_INR; lia).
    unfold mean. rewrite sum_plus, sum_scal, sum_const.
    replace (INR (length (samples S n))) with (INR (length S) ^ n).
    - field. now apply pow_nonzero.
    - symmetry. apply samples_number.
  Qed.
End Average.

(** What is run on drawn records is a law, if there is a record to draw. *)
(* code: tacit.mechanisms.amplification.Resampled
   (0 < length S)%nat <- check whole(records) for length S
   (forall T, finite_law outcomes (inner T)) <- requires for the law `inner` has, whatever the records, one of finitely many outcomes *)
Theorem resampled_law {record O : Type} (outcomes : list O) (draws : nat)
  (inner : mechanism (list record) O) (S : list record) :
  (0 < length S)%nat -> (forall T, finite_law outcomes (inner T)) ->
  finite_law outcomes (resampled draws inner S).
Proof.
  intros HS L. assert (P : 0 < INR (length S) ^ draws) by (apply pow_lt, lt_0_INR; exact HS).
  unfold resampled. split; [apply (L S)|]. split; [|split].
  - intros o. apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|].
    apply sum_nonneg. intros T _. apply (L T).
  - intros o Ho. rewrite sum_zero; [lra|]. intros T _. now apply (L T).
  - rewrite sum_scal, sum_swap, (sum_ext _ _ (fun _ => 1)) by (intros T _; apply (L T)).
    rewrite sum_const, samples_number. field. lra.
Qed.

(** One draw: with probability [1/m] it is the record that differs. *)
Lemma one_draw {record} (before after : list record) x x' (g : record -> R) (f d : R) :
  1 <= f -> 0 <= d ->
  (forall z z', g z <= f * g z' + d) ->
  let m := INR (length (before ++ x :: after)) in
  / m * sum (before ++ x :: after) g
  <= (1 + (f - 1) / m) * (/ m * sum (before ++ x' :: after) g) + / m * d.
Proof.
  intros Hf Hd Hg m.
  assert (Hm : m = 1 + INR (length (before ++ after))).
  { unfold m. rewrite !app_length. simpl length. rewrite Nat.add_succ_r, S_INR. lra. }
  assert (Hm0 : 0 < m) by (rewrite Hm; pose proof (pos_INR (length (before ++ after))); lra).
  set (C := sum (before ++ after) g).
  assert (E : forall y, sum (before ++ y :: after) g = g y + C).
  { intros y. unfold C. rewrite !sum_app, sum_cons. lra. }
  rewrite !E.
  assert (HC : (m - 1) * (g x - d) <= f * C).
  { unfold C. rewrite <- sum_scal. replace (m - 1) with (INR (length (before ++ after))) by lra.
    rewrite <- sum_const. apply sum_le. intros z _. specialize (Hg x z). lra. }
  pose proof (Hg x x') as Hx.
  apply Rmult_le_reg_l with m; [assumption|]. field_simplify; try lra.
  assert (K : m * (f * (g x - d)) <= (m + (f - 1)) * (f * g x') + (f - 1) * (f * C)).
  { assert ((m + (f - 1)) * (g x - d) <= (m + (f - 1)) * (f * g x'))
      by (apply Rmult_le_compat_l; lra).
    assert ((f - 1) * ((m - 1) * (g x - d)) <= (f - 1) * (f * C)) by (apply Rmult_le_compat_l; lra).
    lra. }
  assert (K' : f * (m * (g x - d)) <= f * ((m + (f - 1)) * g x' + (f - 1) * C)) by lra.
  apply Rmult_le_reg_l in K'; [|lra].
  apply Rmult_le_reg_l with m; [assumption|]. field_simplify; lra.
Qed.

Section Theorem1.
  Context {record O : Type}.

  (** One step after the other, from [S] to [S']. *)
  Lemma many_draws (before after : list record) x x' (f d : R) n (g : list record -> R) :
    1 <= f -> 0 <= d ->
    (forall T T', replace_one_of n T T' -> g T <= f * g T' + d) ->
    let m := INR (length (before ++ x :: after)) in
    let F := 1 + (f - 1) / m in
    mean (before ++ x :: after) n g
    <= F ^ n * mean (before ++ x' :: after) n g + d * sum (seq 0 n) (fun t => F ^ t / m).
  Proof.
    intros Hf Hd Hg m F.
    assert (Hlen : length (before ++ x' :: after) = length (before ++ x :: after))
      by (rewrite !app_length; reflexivity).
    assert (Hpos : (0 < length (before ++ x :: after))%nat)
      by (rewrite app_length; simpl; lia).
    assert (Hm : 0 < m) by (now apply lt_0_INR).
    assert (HF : 1 <= F).
    { unfold F. assert (0 <= (f - 1) / m); [|lra]. unfold Rdiv. apply Rmult_le_pos; [lra|].
      left. now apply Rinv_0_lt_compat. }
    revert g Hg. induction n as [|n IH]; intros g Hg.
    - rewrite !mean_0. simpl. lra.
    - rewrite !mean_S by (rewrite ?Hlen; assumption).
      set (S := before ++ x :: after) in *. set (S' := before ++ x' :: after) in *.
      rewrite seq_S, sum_app. simpl (0 + n)%nat. rewrite sum_cons, sum_nil.
      set (dn := sum (seq 0 n) (fun t => F ^ t / m)) in *.
      (* the later draws *)
      assert (I1 : / m * sum S (fun z => mean S n (fun T => g (z :: T)))
        <= F ^ n * (/ m * sum S (fun z => mean S' n (fun T => g (z :: T)))) + d * dn).
      { apply Rle_trans with (/ m * sum S (fun z => F ^ n * mean S' n (fun T => g (z :: T)) + d * dn)).
        - apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|]. apply sum_le. intros z _.
          apply IH. intros T T' (HT & b & y & y' & a & -> & ->). apply Hg. split.
          + simpl. now rewrite HT.
          + exists (z :: b), y, y', a. split; reflexivity.
        - rewrite sum_plus, sum_scal, sum_const. fold m. right. field. lra. }
      (* the first draw *)
      assert (I2 : / m * sum S (fun z => mean S' n (fun T => g (z :: T)))
        <= F * (/ m * sum S' (fun z => mean S' n (fun T => g (z :: T)))) + / m * d).
      { rewrite !mean_swap.
        assert (P' : (0 < length S')%nat) by (rewrite Hlen; assumption).
        replace (/ m * mean S' n (fun T => sum S (fun z => g (z :: T))))
          with (mean S' n (fun T => / m * sum S (fun z => g (z :: T)) + 0))
          by (rewrite mean_affine by assumption; ring).
        replace (F * (/ m * mean S' n (fun T => sum S' (fun z => g (z :: T)))) + / m * d)
          with (mean S' n (fun T => F * / m * sum S' (fun z => g (z :: T)) + / m * d))
          by (rewrite mean_affine by assumption; ring).
        apply mean_le; [assumption|]. intros T HT. rewrite Rplus_0_r, Rmult_assoc.
        apply (one_draw before after x x' (fun z => g (z :: T)) f d Hf Hd).
        intros z z'. apply Hg. split; [simpl; now rewrite HT|].
        exists [], z, z', T. split; reflexivity. }
      assert (0 <= F ^ n) by (apply pow_le; lra).
      assert (I3 := Rmult_le_compat_l _ _ _ H I2).
      replace (length S') with (length S) by now symmetry. fold m.
      simpl (F ^ Datatypes.S n). unfold Rdiv at 1. lra.
  Qed.

  Lemma geometric_sum (F m : R) n : F <> 1 -> m <> 0 ->
    sum (seq 0 n) (fun t => F ^ t / m) = (F ^ n - 1) / ((F - 1) * m).
  Proof.
    intros HF Hm. induction n as [|n IH]; [simpl; field; split; lra|].
    rewrite seq_S, sum_app, IH. simpl. field. split; lra.
  Qed.

  (** Theorem 1 of amplification.proof.md. *)
  (* code: tacit.mechanisms.amplification.Resampled
     0 < epsilon <- requires the inner event, or `together` where it is given, is pure, a selection or approximate, under `REPLACE_ONE`
     0 <= delta <- requires the inner event, or `together` where it is given, is pure, a selection or approximate, under `REPLACE_ONE`
     approximate (replace_one_of draws) epsilon delta inner <- requires `inner` is private for every number of records up to `draws` *)
  Theorem resampling (inner : mechanism (list record) O) (draws records : nat) (epsilon delta : R) :
    0 < epsilon -> 0 <= delta ->
    approximate (replace_one_of draws) epsilon delta inner ->
    let epsilon' := INR draws * ln (1 + (exp epsilon - 1) / INR records) in
    let delta' := delta * ((exp epsilon' - 1) / (exp epsilon - 1)) in
    approximate (replace_one_of records) epsilon' delta' (resampled draws inner).
  Proof.
    intros He Hd Hi epsilon' delta' S S' (HS & b & x & x' & a & E & E') event Hevent.
    assert (Hr : (0 < records)%nat) by (rewrite <- HS, E, app_length; simpl; lia).
    assert (Hm : 0 < INR records) by (now apply lt_0_INR).
    assert (H1 : 0 < exp epsilon - 1).
    { assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra. }
    set (F := 1 + (exp epsilon - 1) / INR records).
    assert (HF : 1 < F).
    { unfold F. assert (0 < (exp epsilon - 1) / INR records); [|lra].
      unfold Rdiv. apply Rmult_lt_0_compat; [assumption|]. now apply Rinv_0_lt_compat. }
    assert (HFn : exp epsilon' = F ^ draws).
    { unfold epsilon'. fold F. rewrite <- (Rpower_pow draws F) by lra. reflexivity. }
    assert (Hs : forall T, sum event (resampled draws inner T)
                           = mean T draws (fun U => sum event (inner U))).
    { intros T. unfold resampled, mean. rewrite sum_scal. f_equal. apply sum_swap. }
    rewrite !Hs. subst S S'.
    pose proof (many_draws b a x x' (exp epsilon) delta draws (fun U => sum event (inner U))) as M.
    cbv zeta in M. rewrite HS in M. fold F in M.
    eapply Rle_trans; [apply M; [lra|assumption|]|].
    - intros T T' Hn. now apply Hi.
    - rewrite HFn. apply Rplus_le_compat_l. right. unfold delta'. f_equal.
      rewrite geometric_sum, HFn by lra. unfold F at 2. field. lra.
  Qed.

  (** Without delta. *)
  (* code: tacit.mechanisms.amplification.Resampled
     0 <= epsilon <- requires the inner event, or `together` where it is given, is pure, a selection or approximate, under `REPLACE_ONE`
     pure (replace_one_of draws) epsilon inner <- requires `inner` is private for every number of records up to `draws` *)
  Theorem resampling_pure (inner : mechanism (list record) O) (draws records : nat) (epsilon : R) :
    0 <= epsilon ->
    pure (replace_one_of draws) epsilon inner ->
    pure (replace_one_of records) (INR draws * ln (1 + (exp epsilon - 1) / INR records))
      (resampled draws inner).
  Proof.
    intros He Hi S S' (HS & b & x & x' & a & E & E') o.
    assert (Hr : (0 < records)%nat) by (rewrite <- HS, E, app_length; simpl; lia).
    assert (Hm : 0 < INR records) by (now apply lt_0_INR).
    assert (H1 : 0 <= exp epsilon - 1).
    { destruct He as [He|<-]; [|rewrite exp_0; lra].
      assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra. }
    set (F := 1 + (exp epsilon - 1) / INR records).
    assert (HF : 1 <= F).
    { unfold F. assert (0 <= (exp epsilon - 1) / INR records); [|lra].
      unfold Rdiv. apply Rmult_le_pos; [assumption|]. left. now apply Rinv_0_lt_compat. }
    replace (exp (INR draws * ln F)) with (F ^ draws)
      by (rewrite <- (Rpower_pow draws F) by lra; reflexivity).
    subst S S'.
    pose proof (many_draws b a x x' (exp epsilon) 0 draws (fun U => inner U o)) as M.
    cbv zeta in M. rewrite HS in M. fold F in M. rewrite Rmult_0_l, Rplus_0_r in M.
    apply M; [lra|lra|]. intros T T' Hn. rewrite Rplus_0_r. now apply Hi.
  Qed.

  (** Theorem 2: with this many records the draws cost no more than one run of [inner]
      (tacit.bounds.upper.conversions.to_empirical). *)
  (* code: tacit.bounds.upper.conversions.to_empirical
     (0 < draws)%nat <- check whole(n) for draws
     0 < epsilon <- check positive(epsilon)
     0 <= delta <- requires the inner event, or `together` where it is given, is pure, a selection or approximate, under `REPLACE_ONE`
     (forall T o, 0 <= inner T o) <- requires draws its output from a probability law
     (exp epsilon - 1) / (exp (epsilon / INR draws) - 1) <= INR records <- object tacit.bounds.upper.conversions.to_empirical: m = ceiling(lambda: ball(epsilon).expm1() / (ball(epsilon) / n).expm1())
     approximate (replace_one_of draws) epsilon delta inner <- requires `inner` is private for every number of records up to `draws` *)
  Theorem resampling_keeps (inner : mechanism (list record) O) (draws records : nat) (epsilon delta : R) :
    (0 < draws)%nat -> 0 < epsilon -> 0 <= delta ->
    (forall T o, 0 <= inner T o) ->
    (exp epsilon - 1) / (exp (epsilon / INR draws) - 1) <= INR records ->
    approximate (replace_one_of draws) epsilon delta inner ->
    approximate (replace_one_of records) epsilon delta (resampled draws inner).
  Proof.
    intros Hn He Hd H0 Hrec Hi S S' HSS' event Hevent.
    assert (Hr : (0 < records)%nat).
    { destruct HSS' as (<- & b & x & x' & a & -> & _). rewrite app_length. simpl. lia. }
    pose proof (resampling inner draws records epsilon delta He Hd Hi S S' HSS' event Hevent) as M.
    cbv zeta in M.
    assert (Hm : 0 < INR records) by (now apply lt_0_INR).
    assert (Hdr : 0 < INR draws) by (now apply lt_0_INR).
    assert (H1 : 0 < exp epsilon - 1).
    { assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra. }
    assert (H2 : 0 < exp (epsilon / INR draws) - 1).
    { assert (exp 0 < exp (epsilon / INR draws)).
      { apply exp_increasing. unfold Rdiv. apply Rmult_lt_0_compat; [assumption|].
        now apply Rinv_0_lt_compat. }
      rewrite exp_0 in *. lra. }
    set (F := 1 + (exp epsilon - 1) / INR records) in *.
    assert (HF : 1 < F).
    { unfold F. assert (0 < (exp epsilon - 1) / INR records); [|lra].
      unfold Rdiv. apply Rmult_lt_0_compat; [assumption|]. now apply Rinv_0_lt_compat. }
    assert (HFe : F <= exp (epsilon / INR draws)).
    { unfold F. assert ((exp epsilon - 1) / INR records <= exp (epsilon / INR draws) - 1); [|lra].
      apply Rmult_le_reg_r with (INR records); [assumption|].
      apply Rmult_le_compat_r with (r := exp (epsilon / INR draws) - 1) in Hrec; [|lra].
      unfold Rdiv in *. rewrite Rmult_assoc, Rinv_l in Hrec by lra.
      rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Hle : INR draws * ln F <= epsilon).
    { replace epsilon with (INR draws * (epsilon / INR draws)) by (field; lra).
      apply Rmult_le_compat_l; [lra|]. rewrite <- (ln_exp (epsilon / INR draws)).
      destruct HFe as [HFe|HFe]; [left; apply ln_increasing; lra|rewrite HFe; lra]. }
    assert (Hexp : exp (INR draws * ln F) <= exp epsilon).
    { destruct Hle as [Hle|Hle]; [left; now apply exp_increasing|rewrite Hle; lra]. }
    assert (Hsum : 0 <= sum event (resampled draws inner S')).
    { apply sum_nonneg. intros o _. unfold resampled. apply Rmult_le_pos.
      - destruct HSS' as [HS HS']. apply replace_one_length in HS'. rewrite <- HS', HS.
        left. apply Rinv_0_lt_compat. now apply pow_lt.
      - apply sum_nonneg. intros; apply H0. }
    eapply Rle_trans; [apply M|]. apply Rplus_le_compat; [now apply Rmult_le_compat_r|].
    rewrite <- (Rmult_1_r delta) at 2. apply Rmult_le_compat_l; [assumption|].
    apply Rmult_le_reg_r with (exp epsilon - 1); [assumption|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  Qed.
End Theorem1.
