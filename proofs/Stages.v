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
     (forall whole, sum known (fun w => w) <= whole <= sum known (fun w => w) + bound -> holds known i (u * whole)) <- object tacit.exact.stages._by_balls *)
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
     (i < length cells)%nat <- requires the stages together list all candidates
     0 < sum cells (fun w => w) <- requires the stages together list all candidates *)
  Theorem cell_share (cells : list R) (i : nat) :
    (i < length cells)%nat -> 0 < sum cells (fun w => w) ->
    exists low high,
      (forall u, holds cells i (u * sum cells (fun w => w)) <-> low < u < high) /\
      high - low = nth i cells 0 / sum cells (fun w => w).
  Proof.
    intros Hi HW. set (W := sum cells (fun w => w)) in *.
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
