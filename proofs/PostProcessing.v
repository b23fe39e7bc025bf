(** Post-processing: what is made of a release without the data is as private as the release
    (tacit.accounting.composition), for finitely or infinitely many outcomes. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Composition Vectors.
Import ListNotations.
Open Scope R_scope.

(** ** Finite sums come near *)

Lemma near_lub (f : R -> Prop) b gap : is_lub f b -> 0 < gap -> exists x, f x /\ b - gap < x.
Proof.
  intros [_ Hl] Hg. destruct (Classical_Prop.classic (exists x, f x /\ b - gap < x)) as [|N]; [assumption|].
  exfalso. assert (b <= b - gap); [|lra]. apply Hl. intros x Hx.
  destruct (Rle_or_lt x (b - gap)) as [|L]; [assumption|]. exfalso. apply N. now exists x.
Qed.

Section Made.
  Context {O O' : Type}.
  Variable k : O -> O' -> R.
  Variable p : O -> R.
  Variable q : O' -> R.
  Hypothesis k_nonneg : forall o o', 0 <= k o o'.
  Hypothesis p_nonneg : forall o, 0 <= p o.
  Hypothesis made : made_by k p q.

  Lemma below_made l o' : NoDup l -> sum l (fun o => p o * k o o') <= q o'.
  Proof. intros Hl. destruct (made o') as [Hu _]. apply Hu. now exists l. Qed.

  Lemma made_nonneg o' : 0 <= q o'.
  Proof. apply (below_made [] o'). constructor. Qed.

  (** The probability of an event, from below. *)
  Lemma below_event l event : NoDup l ->
    sum l (fun o => p o * sum event (k o)) <= sum event q.
  Proof.
    intros Hl. rewrite (sum_ext l _ (fun o => sum event (fun o' => p o * k o o')))
      by (intros; now rewrite sum_scal).
    rewrite sum_swap. apply sum_le. intros o' _. now apply below_made.
  Qed.

  (** Finitely many outcomes have almost all of it. *)
  Lemma near_event_made event gap : 0 < gap ->
    exists l, NoDup l /\ sum event q - gap <= sum l (fun o => p o * sum event (k o)).
  Proof.
    intros Hg. assert (G : forall gap', 0 < gap' -> exists l, NoDup l /\
      forall o', In o' event -> q o' - gap' <= sum l (fun o => p o * k o o')).
    { intros gap' Hg'. induction event as [|o' event IH].
      - exists []. split; [constructor|]. intros ? [].
      - destruct IH as (l & Hl & IH).
        destruct (near_lub _ _ gap' (made o') Hg') as (x & (l' & Hl' & ->) & Hx).
        destruct (deduplicate (l' ++ l)) as (d & Hd & Hi).
        assert (Pos : forall y o, In o d -> 0 <= p o * k o y) by (intros; apply Rmult_le_pos; auto).
        exists d. split; [assumption|]. intros y [<-|Hy].
        + assert (sum l' (fun o => p o * k o o') <= sum d (fun o => p o * k o o')); [|lra].
          apply sum_incl; auto. intros o Ho. apply Hi, in_or_app. now left.
        + eapply Rle_trans; [now apply IH|]. apply sum_incl; auto.
          intros o Ho. apply Hi, in_or_app. now right. }
    set (N := INR (length event) + 1). assert (0 <= INR (length event)) by apply pos_INR.
    assert (HN : 0 < N) by (unfold N; lra).
    destruct (G (gap / N)) as (l & Hl & H1); [now apply Rdiv_lt_0_compat|].
    exists l. split; [assumption|].
    rewrite (sum_ext l _ (fun o => sum event (fun o' => p o * k o o')))
      by (intros; now rewrite sum_scal).
    rewrite sum_swap. apply Rle_trans with (sum event (fun o' => q o' - gap / N)); [|now apply sum_le].
    rewrite sum_minus, sum_const.
    assert (INR (length event) * (gap / N) <= gap); [|lra].
    apply Rle_trans with (N * (gap / N)); [|right; field; lra].
    apply Rmult_le_compat_r; [left; now apply Rdiv_lt_0_compat|unfold N; lra].
  Qed.
End Made.

(** What is made of a law by laws is a law. *)
(* code: tacit.accounting.composition.total
   law p <- requires every mechanism draws its output from a probability law
   (forall o, law (k o)) <- requires what is made of an output without looking at the data is drawn from a probability law as well
   made_by k p q <- requires what is made of an output without looking at the data is drawn from a probability law as well *)
Theorem post_processing_law {O O'} (k : O -> O' -> R) (p : O -> R) (q : O' -> R) :
  law p -> (forall o, law (k o)) -> made_by k p q -> law q.
Proof.
  intros Hp Hk Hq. destruct Hp as [P0 [Pu Pl]].
  assert (K0 : forall o o', 0 <= k o o') by (intros o; apply Hk).
  split; [now apply (made_nonneg k p q)|]. split.
  - intros x (event & He & ->).
    apply le_epsilon. intros gap Hg.
    destruct (near_event_made k p q K0 P0 Hq event gap Hg) as (l & Hl & Hle).
    assert (sum l (fun o => p o * sum event (k o)) <= sum l p).
    { apply sum_le. intros o _. rewrite <- (Rmult_1_r (p o)) at 2. apply Rmult_le_compat_l; [apply P0|].
      destruct (Hk o) as [_ [Ku _]]. apply Ku. now exists event. }
    assert (sum l p <= 1) by (apply Pu; now exists l). lra.
  - intros b Hb. apply le_epsilon. intros gap Hg.
    destruct (near_lub (partial_total p) 1 (gap / 2) (conj Pu Pl) ltac:(lra)) as (x & (l & Hl & ->) & Hx).
    assert (G : exists event, NoDup event /\ forall o, In o l -> 1 - gap / 2 <= sum event (k o)).
    { clear Hx Hl. induction l as [|o l (event & He & IH)].
      - exists []. split; [constructor|]. intros ? [].
      - destruct (Hk o) as [_ Ko].
        destruct (near_lub (partial_total (k o)) 1 (gap / 2) Ko ltac:(lra)) as (y & (e' & He' & ->) & Hy).
        destruct (deduplicate (e' ++ event)) as (d & Hd & Hi).
        exists d. split; [assumption|]. intros u [<-|Hu].
        + assert (sum e' (k o) <= sum d (k o)); [|lra].
          apply sum_incl; auto. intros z Hz. apply Hi, in_or_app. now left.
        + eapply Rle_trans; [exact (IH u Hu)|]. apply sum_incl; auto.
          intros z Hz. apply Hi, in_or_app. now right. }
    destruct G as (event & He & Hev).
    assert (B := below_event k p q Hq l event Hl).
    assert (sum event q <= b) by (apply Hb; now exists event).
    assert (sum l (fun o => (1 - gap / 2) * p o) <= sum l (fun o => p o * sum event (k o))).
    { apply sum_le. intros o Ho. rewrite Rmult_comm. apply Rmult_le_compat_l; [apply P0|auto]. }
    rewrite sum_scal in *. assert (sum l p <= 1) by (apply Pu; now exists l).
    assert (gap / 2 * sum l p <= gap / 2 * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* code: tacit.accounting.composition.total
   (forall o o', 0 <= k o o') <- requires what is made of an output without looking at the data is drawn from a probability law as well
   (forall S, made_by k (m S) (q S)) <- requires what is made of an output without looking at the data is drawn from a probability law as well
   pure neighbours epsilon m <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
Theorem post_processing_pure {D O O'} (neighbours : D -> D -> Prop) epsilon
  (m : mechanism D O) (k : O -> O' -> R) (q : mechanism D O') :
  (forall o o', 0 <= k o o') -> (forall S, made_by k (m S) (q S)) ->
  pure neighbours epsilon m -> pure neighbours epsilon q.
Proof.
  intros Hk Hq Hm S S' Hn o'. destruct (Hq S o') as [_ Hl]. apply Hl. intros x (l & Hd & ->).
  apply Rle_trans with (exp epsilon * sum l (fun o => m S' o * k o o')).
  - rewrite <- sum_scal. apply sum_le. intros o _. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [apply Hk|]. now apply Hm.
  - apply Rmult_le_compat_l; [apply exp_ge_0|]. now apply (below_made k (m S') (q S')).
Qed.

(* code: tacit.accounting.composition.total
   (forall S, sublaw (m S)) <- requires every mechanism draws its output from a probability law
   (forall o, sublaw (k o)) <- requires what is made of an output without looking at the data is drawn from a probability law as well
   (forall S, made_by k (m S) (q S)) <- requires what is made of an output without looking at the data is drawn from a probability law as well
   approximate neighbours epsilon delta m <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
Theorem post_processing_approximate {D O O'} (neighbours : D -> D -> Prop) epsilon delta
  (m : mechanism D O) (k : O -> O' -> R) (q : mechanism D O') :
  (forall S, sublaw (m S)) -> (forall o, sublaw (k o)) -> (forall S, made_by k (m S) (q S)) ->
  approximate neighbours epsilon delta m ->
  approximate neighbours epsilon delta q.
Proof.
  intros Hs Hk Hq Hm S S' Hn event He. apply le_epsilon. intros gap Hg.
  assert (K0 : forall o o', 0 <= k o o') by (intros o; apply Hk).
  assert (M0 : forall T o, 0 <= m T o) by (intros T; apply Hs).
  destruct (near_event_made k (m S) (q S) K0 (M0 S) (Hq S) event gap Hg) as (l & Hl & Hle).
  assert (T := approximate_test neighbours epsilon delta m l (fun o => sum event (k o)) S S' Hl Hm Hn).
  assert (B := below_event k (m S') (q S') (Hq S') l event Hl).
  assert (exp epsilon * sum l (fun o => m S' o * sum event (k o)) <= exp epsilon * sum event (q S'))
    by (apply Rmult_le_compat_l; [apply exp_ge_0|assumption]).
  assert (sum l (fun o => m S o * sum event (k o))
          <= exp epsilon * sum l (fun o => m S' o * sum event (k o)) + delta); [|lra].
  apply T. intros o _. destruct (Hk o) as [H0 H1]. split; [apply sum_nonneg; auto|now apply H1].
Qed.

(** There is always something made, and for finitely many outcomes it is the finite sum. *)
Theorem post_processing_exists {O O'} (k : O -> O' -> R) (p : O -> R) :
  sublaw p -> (forall o, sublaw (k o)) -> exists q, made_by k p q.
Proof.
  intros [P0 P1] Hk.
  assert (G : forall o', {x | is_lub (partial_total (fun o => p o * k o o')) x}).
  { intros o'. apply completeness; [|exists 0; exists []; split; [constructor|reflexivity]].
    exists 1. intros x (l & Hl & ->). eapply Rle_trans; [|apply (P1 l Hl)]. apply sum_le. intros o _.
    rewrite <- (Rmult_1_r (p o)) at 2. apply Rmult_le_compat_l; [apply P0|].
    destruct (Hk o) as [_ K1]. specialize (K1 [o']). rewrite sum_cons, sum_nil, Rplus_0_r in K1.
    apply K1. repeat constructor. intros []. }
  exists (fun o' => proj1_sig (G o')). intros o'. apply proj2_sig.
Qed.

Theorem post_processing_finite {O O'} (k : O -> O' -> R) (p : O -> R) (outcomes : list O) :
  finite_law outcomes p -> (forall o o', 0 <= k o o') ->
  made_by k p (fun o' => sum outcomes (fun o => p o * k o o')).
Proof.
  intros (Hd & P0 & Pz & _) Hk o'. split.
  - intros x (l & Hl & ->). rewrite (sum_split (fun o => if Req_EM_T (p o) 0 then true else false)).
    rewrite sum_zero, Rplus_0_l.
    + apply sum_incl; [now apply NoDup_filter| |intros; apply Rmult_le_pos; auto].
      intros o Ho. apply filter_In in Ho as [_ Ho]. destruct (Req_EM_T (p o) 0) as [|E]; [discriminate|].
      destruct (Classical_Prop.classic (In o outcomes)) as [|N]; [assumption|]. now apply Pz in N.
    + intros o Ho. apply filter_In in Ho as [_ Ho]. destruct (Req_EM_T (p o) 0) as [->|]; [ring|discriminate].
  - intros b Hb. apply Hb. now exists outcomes.
Qed.
