(** Draws from candidates that are known stage by stage: tacit.exact.stages.

    All cells stand in one order, the known ones first; the answer is the cell that holds the
    share [u] of the whole weight. *)
From Coq Require Import Reals Lra List Bool Lia ZArith Permutation.
From Tacit Require Import Sums Definitions Selection Levels.
Import ListNotations.
Open Scope R_scope.

Section Stages.
  (** Cell [i] of [cells] holds [target]: what comes before it is less, with it more. *)
  Definition holds (cells : list R) (i : nat) (target : R) : Prop :=
    (i < length cells)%nat /\
    sum (firstn i cells) (fun w => w) < target < sum (firstn (S i) cells) (fun w => w).

  (** If a stage is certain for every whole weight that its bound on the rest allows, it gives
      the answer that the full list gives. *)
  (* code: tacit.exact.stages.draw_exponential
     (forall w, In w rest -> 0 <= w) <- requires `rest` bounds the weight of all that is not listed
     sum rest (fun w => w) <= bound <- requires `rest` bounds the weight of all that is not listed
     (forall whole, sum known (fun w => w) <= whole <= sum known (fun w => w) + bound -> holds known i (u * whole)) <- object tacit.exact.stages._by_balls: The cell that certainly contains ``U * total``, or ``None`` in doubt. *)
  Theorem stage_answer (known rest : list R) (bound u : R) (i : nat) :
    (forall w, In w rest -> 0 <= w) ->
    sum rest (fun w => w) <= bound ->
    (forall whole, sum known (fun w => w) <= whole <= sum known (fun w => w) + bound ->
                   holds known i (u * whole)) ->
    holds (known ++ rest) i (u * sum (known ++ rest) (fun w => w)).
  Proof.
    intros Hrest Hbound Hstage.
    assert (Hpos : 0 <= sum rest (fun w => w)) by now apply sum_nonneg.
    destruct (Hstage (sum (known ++ rest) (fun w => w))) as [Hi Hu].
    - rewrite sum_app. lra.
    - unfold holds. rewrite app_length, !firstn_app.
      replace (i - length known)%nat with 0%nat by lia.
      replace (S i - length known)%nat with 0%nat by lia.
      cbn [firstn]. rewrite !app_nil_r. split; [lia|assumption].
  Qed.

  (** The shares [u] that a cell holds are an interval as long as the cell's part of the whole:
      a uniform [u] gives each cell its probability. *)
  (* code: tacit.exact.stages.draw_exponential
     0 < sum cells (fun w => w) <- requires the stages together list all candidates, at least one *)
  Theorem cell_share (cells : list R) (i : nat) :
    0 < sum cells (fun w => w) ->
    exists low high,
      (forall u, holds cells i (u * sum cells (fun w => w)) <-> low < u < high) /\
      high - low = nth i cells 0 / sum cells (fun w => w).
  Proof.
    intros HW. destruct (lt_dec i (length cells)) as [Hi|Hi].
    2: { exists 0, 0. split; [intros u; split; [intros [H _]; contradiction|lra]|].
         rewrite nth_overflow by lia. unfold Rdiv. ring. }
    set (W := sum cells (fun w => w)) in *.
    exists (sum (firstn i cells) (fun w => w) / W), (sum (firstn (S i) cells) (fun w => w) / W).
    assert (E : sum (firstn (S i) cells) (fun w => w)
                = sum (firstn i cells) (fun w => w) + nth i cells 0).
    { clear - Hi. revert i Hi. induction cells as [|w cells IH]; intros i Hi; [simpl in Hi; lia|].
      destruct i as [|i]; [simpl; lra|]. simpl in Hi.
      change (firstn (S (S i)) (w :: cells)) with (w :: firstn (S i) cells).
      change (firstn (S i) (w :: cells)) with (w :: firstn i cells).
      rewrite !sum_cons, IH by lia. simpl. lra. }
    split; [|rewrite E; field; lra].
    assert (Hlow : forall a u, a / W < u <-> a < u * W).
    { intros a u. split; intros H.
      - apply (Rmult_lt_compat_r W) in H; [|lra]. unfold Rdiv in H.
        rewrite Rmult_assoc, Rinv_l in H by lra. lra.
      - apply (Rmult_lt_reg_r W); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Hhigh : forall a u, u < a / W <-> u * W < a).
    { intros a u. split; intros H.
      - apply (Rmult_lt_compat_r W) in H; [|lra]. unfold Rdiv in H.
        rewrite Rmult_assoc, Rinv_l in H by lra. lra.
      - apply (Rmult_lt_reg_r W); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    intros u. unfold holds. rewrite Hlow, Hhigh. tauto.
  Qed.
End Stages.

(** ** A whole draw: tacit.exact.stages.draw_exponential

    Stages list cells: an error and the candidates that have it. Attempt number [t] knows the
    first [known t] stages, and of the rest only a bound on its weight; it may return a cell for a
    uniform number [u], or be in doubt. The first attempt that is not in doubt decides. *)
Section Staged.
  Context {C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable err : C -> Z.
  Variable rate : R.
  Variable candidates : list C.
  Variable stages : list (list (Z * list C)).

  Definition cell_weight (c : Z * list C) : R := INR (length (snd c)) * exp (- rate * IZR (fst c)).
  Definition all_cells : list R := map cell_weight (concat stages).
  Definition known_cells (s : nat) : list R := map cell_weight (concat (firstn s stages)).
  Definition rest_cells (s : nat) : list R := map cell_weight (concat (skipn s stages)).
  Definition whole : R := sum all_cells (fun w => w).

  Variable bound : nat -> R.
  Variable known : nat -> nat.
  Variable attempt : nat -> R -> option nat.

  (** The stages list every candidate once, in a cell of its error. *)
  Definition lists_all : Prop :=
    Permutation (flat_map snd (concat stages)) candidates /\
    forall c, In c (concat stages) -> forall r, In r (snd c) -> err r = fst c.

  (** An attempt returns a cell only if no weight of the rest that its bound allows changes it. *)
  Definition certain : Prop := forall t u i, attempt t u = Some i ->
    forall total, sum (known_cells (known t)) (fun w => w) <= total
                  <= sum (known_cells (known t)) (fun w => w) + bound (known t) ->
    holds (known_cells (known t)) i (u * total).

  (** Beside a border no attempt need ever be certain; elsewhere some attempt is. *)
  Definition ends : Prop := forall u i, holds all_cells i (u * whole) -> exists t, attempt t u <> None.

  Definition drawn (u : R) (i : nat) : Prop :=
    exists t, attempt t u = Some i /\ forall t', (t' < t)%nat -> attempt t' u = None.

  Lemma cell_weight_nonneg c : 0 <= cell_weight c.
  Proof. apply Rmult_le_pos; [apply pos_INR|apply Rlt_le, exp_pos]. Qed.

  Lemma cells_nonneg l w : In w (map cell_weight l) -> 0 <= w.
  Proof. intros H. apply in_map_iff in H as (c & <- & _). apply cell_weight_nonneg. Qed.

  Lemma known_and_rest s : all_cells = known_cells s ++ rest_cells s.
  Proof.
    unfold all_cells, known_cells, rest_cells.
    now rewrite <- map_app, <- concat_app, firstn_skipn.
  Qed.

  Lemma sum_firstn_mono (cells : list R) i j : (forall w, In w cells -> 0 <= w) -> (i <= j)%nat ->
    sum (firstn i cells) (fun w => w) <= sum (firstn j cells) (fun w => w).
  Proof.
    intros H. revert i j. induction cells as [|w cells IH]; intros i j Hij.
    - rewrite !firstn_nil. lra.
    - destruct i as [|i], j as [|j]; try lia; simpl; try lra.
      + assert (0 <= w) by (apply H; now left).
        assert (0 <= sum (firstn j cells) (fun w => w)); [|lra].
        apply sum_nonneg. intros x Hx. apply H. right. rewrite <- (firstn_skipn j cells).
        apply in_or_app. now left.
      + assert (sum (firstn i cells) (fun w => w) <= sum (firstn j cells) (fun w => w)); [|lra].
        apply IH; [intros x Hx; apply H; now right|lia].
  Qed.

  Lemma holds_once (cells : list R) i j x : (forall w, In w cells -> 0 <= w) ->
    holds cells i x -> holds cells j x -> i = j.
  Proof.
    intros Hn [_ [A B]] [_ [A' B']]. destruct (Nat.lt_total i j) as [L|[L|L]]; [|assumption|].
    - assert (M := sum_firstn_mono cells (S i) j Hn L). lra.
    - assert (M := sum_firstn_mono cells (S j) i Hn L). lra.
  Qed.

  (** Whatever is returned, and however much was looked at, it is the answer of the full list. *)
  (* code: tacit.exact.stages.draw_exponential
     (forall s, sum (rest_cells s) (fun w => w) <= bound s) <- requires `rest` bounds the weight of all that is not listed
     certain <- object tacit.exact.stages._by_balls: The cell that certainly contains ``U * total``, or ``None`` in doubt.
     drawn u i <- object tacit.exact.stages.draw_exponential: if index is not None: return _member(rng, known, index) *)
  Theorem staged_answer u i :
    (forall s, sum (rest_cells s) (fun w => w) <= bound s) -> certain ->
    drawn u i -> holds all_cells i (u * whole).
  Proof.
    intros Hrest Hc (t & Ht & _). unfold whole. rewrite (known_and_rest (known t)).
    apply (stage_answer _ _ (bound (known t))); [|apply Hrest|exact (Hc t u i Ht)].
    intros w Hw. now apply (cells_nonneg (concat (skipn (known t) stages))).
  Qed.

  Lemma first_attempt u t : attempt t u <> None -> exists i, drawn u i.
  Proof.
    induction t as [t IH] using (well_founded_induction Wf_nat.lt_wf). intros Ht.
    destruct (attempt t u) as [i|] eqn:E; [|congruence].
    assert (D : {t' | (t' < t)%nat /\ attempt t' u <> None} + {forall t', (t' < t)%nat -> attempt t' u = None}).
    { clear IH Ht E. induction t as [|t [(t' & H & H')|IH]].
      - right. intros; lia.
      - left. exists t'. split; [lia|assumption].
      - destruct (attempt t u) eqn:E.
        + left. exists t. split; [lia|congruence].
        + right. intros t' Ht'. destruct (Nat.eq_dec t' t) as [->|]; [assumption|]. apply IH. lia. }
    destruct D as [(t' & H & H')|D]; [now apply (IH t')|]. exists i, t. auto.
  Qed.

  Lemma whole_is_total : lists_all ->
    whole = total candidates (fun _ : unit => fun r => IZR (err r)) rate tt.
  Proof.
    intros [Hp He]. unfold whole, all_cells, total. rewrite <- (sum_perm _ _ _ Hp), sum_map, sum_flat_map.
    apply sum_ext. intros c Hc. unfold cell_weight. rewrite <- sum_const. apply sum_ext.
    intros r Hr. unfold weight. now rewrite (He c Hc r Hr).
  Qed.

  (** The draw: the numbers [u] for which cell [i] is returned are an interval of the unit interval,
      and its length over the number of the cell's members is the exponential mechanism. *)
  (* code: tacit.exact.stages.draw_exponential
     lists_all <- requires the stages together list all candidates
     (forall s, sum (rest_cells s) (fun w => w) <= bound s) <- requires `rest` bounds the weight of all that is not listed
     certain <- object tacit.exact.stages._by_balls: The cell that certainly contains ``U * total``, or ``None`` in doubt.
     ends <- object tacit.exact.stages.draw_exponential: bits *= 2
     nth_error (concat stages) i = Some (e, members) <- object tacit.exact.stages._member: for stage, levels in known: if index < len(levels.errors):
     In r members <- object tacit.exact.stages._member: return stage.listed.member(int(levels.errors[index]), rank) *)
  Theorem staged_exponential i e members r :
    lists_all -> (forall s, sum (rest_cells s) (fun w => w) <= bound s) -> certain -> ends ->
    nth_error (concat stages) i = Some (e, members) -> In r members ->
    exists low high, 0 <= low /\ high <= 1 /\
      (forall u, drawn u i <-> low < u < high) /\
      (high - low) * / INR (length members)
      = exponential eq_dec candidates (fun (_ : unit) s => IZR (err s)) rate tt r.
  Proof.
    intros Hl Hrest Hc Hends Hi Hr.
    assert (Hi' : (i < length all_cells)%nat).
    { unfold all_cells. rewrite map_length. apply nth_error_Some. congruence. }
    assert (Hw : nth i all_cells 0 = cell_weight (e, members)).
    { apply nth_error_nth. unfold all_cells. now rewrite nth_error_map, Hi. }
    assert (Hin : In (e, members) (concat stages)) by now apply nth_error_In in Hi.
    destruct Hl as [Hp He]. assert (Hcand : In r candidates).
    { apply (Permutation_in _ Hp), in_flat_map. now exists (e, members). }
    assert (Hne : candidates <> []) by (intros E; rewrite E in Hcand; contradiction).
    assert (HW := whole_is_total (conj Hp He)).
    assert (HWp : 0 < whole) by (rewrite HW; now apply total_pos).
    assert (Hcount : 0 < INR (length members)).
    { apply lt_0_INR. destruct members; [contradiction|simpl; lia]. }
    assert (Hsum : forall j, (j <= length all_cells)%nat ->
      0 <= sum (firstn j all_cells) (fun w => w) <= whole).
    { intros j Hj. assert (N : forall w, In w all_cells -> 0 <= w) by (intros; now apply (cells_nonneg (concat stages))).
      split; [apply (sum_firstn_mono all_cells 0 j); [assumption|lia]|].
      unfold whole. rewrite <- (firstn_all all_cells) at 2. apply sum_firstn_mono; assumption. }
    destruct (cell_share all_cells i HWp) as (low & high & Hu & Hlen). fold whole in Hu, Hlen.
    assert (Hpos : low < high).
    { assert (0 < cell_weight (e, members)) by (apply Rmult_lt_0_compat; [exact Hcount|apply exp_pos]).
      assert (0 < nth i all_cells 0 / whole) by (rewrite Hw; now apply Rdiv_lt_0_compat). lra. }
    (* inside the interval u is a share of the whole *)
    assert (Hunit : forall u, low < u < high -> 0 <= u <= 1).
    { intros u H. apply Hu in H. destruct H as [_ [A B]].
      assert (S1 := Hsum i ltac:(lia)). assert (S2 := Hsum (S i) ltac:(lia)).
      split; apply Rmult_le_reg_r with whole; lra. }
    exists low, high. split; [|split; [|split]].
    - destruct (Rle_or_lt 0 low) as [|L]; [assumption|].
      destruct (Hunit ((low + Rmin high 0) / 2)); [|pose proof (Rmin_r high 0); lra].
      pose proof (Rmin_l high 0). pose proof (Rmin_glb_lt high 0 low Hpos L). lra.
    - destruct (Rle_or_lt high 1) as [|L]; [assumption|].
      destruct (Hunit ((high + Rmax low 1) / 2)); [|pose proof (Rmax_r low 1); lra].
      pose proof (Rmax_l low 1). pose proof (Rmax_lub_lt low 1 high Hpos L). lra.
    - intros u. rewrite <- Hu. split; [now apply staged_answer|]. intros H.
      destruct (Hends u i H) as (t & Ht). destruct (first_attempt u t Ht) as (j & Hj).
      assert (Hj' := staged_answer u j Hrest Hc Hj).
      now rewrite (holds_once all_cells i j (u * whole)) by
        (try assumption; intros; now apply (cells_nonneg (concat stages))).
    - rewrite Hlen, Hw, HW. unfold exponential. destruct (in_dec eq_dec r candidates); [|contradiction].
      unfold weight, cell_weight. simpl. rewrite (He _ Hin r Hr). simpl.
      assert (Ht := total_pos candidates (fun (_ : unit) s => IZR (err s)) rate tt Hne).
      field. split; lra.
  Qed.
End Staged.


(** ** Permute-and-flip by stages: tacit.exact.flips.settle_flip

    A candidate that is not listed has an error at least [1 / rate] above the least one. Its coin is
    below a half, and then what it adds to the two sums that decide is bounded by its coin. *)
(* code: tacit.exact.stages.draw_flip
   0 < rate <- requires `rate` is positive
   least + 1 / rate <= e <- object tacit.exact.flips.settle_flip: if rest is not None and not (int(rest.errors[0]) - least) * rate >= 1: return None
   0 <= s <= 1 <- object tacit.exact.flips.settle_flip: s = _solve(head, first.ball().log(), bits) if first.prefix else None *)
Theorem unlisted_coin rate least e s : 0 < rate -> least + 1 / rate <= e -> 0 <= s <= 1 ->
  let p := exp (- rate * (e - least)) in
  p <= 1 / 2 /\ 0 <= - ln (1 - p * s) <= 2 * (p * s) /\ 0 <= p / (1 - p * s) <= 2 * p.
Proof.
  intros Hr He Hs p. assert (Hp0 : 0 < p) by apply exp_pos.
  assert (Hp : p <= 1 / 2).
  { assert (1 <= rate * (e - least)).
    { replace 1 with (rate * (1 / rate)) by (field; lra). apply Rmult_le_compat_l; lra. }
    assert (H2 : 2 <= exp 1) by (assert (E := exp_ineq1_le 1); lra).
    apply Rle_trans with (exp (Ropp 1)).
    - unfold p. destruct (Req_dec (rate * (e - least)) 1) as [E|E].
      + right. f_equal. lra.
      + left. apply exp_increasing. lra.
    - rewrite exp_Ropp. apply Rmult_le_reg_r with (exp 1); [apply exp_pos|].
      rewrite Rinv_l by (assert (0 < exp 1) by apply exp_pos; lra). lra. }
  assert (Hx : 0 <= p * s <= 1 / 2).
  { split; [apply Rmult_le_pos; lra|]. apply Rle_trans with (p * 1); [apply Rmult_le_compat_l; lra|lra]. }
  set (x := p * s) in *.
  assert (Hinv : / (1 - x) <= 1 + 2 * x).
  { apply Rmult_le_reg_r with (1 - x); [lra|]. rewrite Rinv_l by lra.
    assert (0 <= x * (1 - 2 * x)) by (apply Rmult_le_pos; lra). lra. }
  assert (Hone : 1 <= / (1 - x)).
  { apply Rmult_le_reg_r with (1 - x); [lra|]. rewrite Rinv_l by lra. lra. }
  split; [assumption|]. split; [split|split].
  - assert (ln (1 - x) <= 0); [|lra]. destruct (Req_dec x 0) as [->|].
    + rewrite Rminus_0_r, ln_1. lra.
    + rewrite <- ln_1. left. apply ln_increasing; lra.
  - assert (E := exp_ineq1_le (ln (/ (1 - x)))).
    rewrite exp_ln in E by (apply Rinv_0_lt_compat; lra). rewrite ln_Rinv in E by lra. lra.
  - apply Rmult_le_pos; lra.
  - unfold Rdiv. rewrite (Rmult_comm 2 p). apply Rmult_le_compat_l; [lra|]. lra.
Qed.
