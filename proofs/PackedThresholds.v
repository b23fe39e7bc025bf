(** Thresholds on the unit interval: Theorem 5 of Chaudhuri and Hsu as an instance of the packing
    bound (tacit.problems.reals.covers_lower.packed_thresholds). Records are replaced, and each
    threshold has a law of its own: half of it just below, half on it. *)
From Coq Require Import Reals Lra List Bool Lia Arith.
From Tacit Require Import Sums Definitions Composition Groups Packing MasterBound Coupling
  PackingSpread AnyAnswers TwoPoints.
Import ListNotations.
Open Scope R_scope.

(** The rule [x >= t]. *)
Definition threshold (t x : R) : bool := if Rle_dec t x then true else false.

(** [p] is a law on finitely many labelled numbers of the unit interval, labelled by a threshold. *)
Definition threshold_realizable (examples : list (R * bool)) (p : R * bool -> R) : Prop :=
  finite_law examples p /\ (forall z, In z examples -> 0 <= fst z <= 1) /\
  exists t, 0 <= t <= 1 /\ forall z, In z examples -> 0 < p z -> threshold t (fst z) = snd z.

(** But for probability [beta] the released threshold, one of any number of possible ones, errs
    with probability at most [alpha]. *)
Definition learns_thresholds (alpha beta : R) (n : nat) (m : mechanism (list (R * bool)) R) : Prop :=
  forall examples p, threshold_realizable examples p ->
  at_least m n examples p
    (fun t => if Rle_dec (error examples p (threshold t)) alpha then true else false) (1 - beta).

Definition number_dec : forall x y : R * bool, {x = y} + {x <> y}.
Proof. decide equality; [apply bool_dec|apply Req_EM_T]. Defined.

Section Packed.
  (** Interval number [i] of [size]: from [2 i] to [2 i + 1], in parts of [2 size]. *)
  Variable size : nat.
  Definition below (i : nat) : R := 2 * INR i / (2 * INR size).
  Definition above (i : nat) : R := (2 * INR i + 1) / (2 * INR size).
  Definition inside (i : nat) (t : R) : bool :=
    if Rlt_dec (below i) t then if Rle_dec t (above i) then true else false else false.

  Hypothesis at_least_two : (2 <= size)%nat.

  Lemma parts : 0 < 2 * INR size.
  Proof. assert (0 < INR size) by (apply lt_0_INR; lia). lra. Qed.

  Lemma below_above i : below i < above i.
  Proof. unfold below, above. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, parts|lra]. Qed.

  Lemma apart_intervals i j : (i < j)%nat -> above i < below j.
  Proof.
    intros H. unfold below, above. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, parts|].
    apply lt_INR in H. assert (INR i + 1 <= INR j); [|lra]. rewrite <- S_INR. apply le_INR.
    now apply INR_lt.
  Qed.

  Lemma in_unit i : (i < size)%nat -> 0 <= below i /\ above i <= 1.
  Proof.
    intros H. assert (P := parts). unfold below, above. split.
    - apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat]. assert (0 <= INR i) by apply pos_INR. lra.
    - apply Rmult_le_reg_r with (2 * INR size); [assumption|]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l by lra. assert (INR i + 1 <= INR size); [|lra].
      rewrite <- S_INR. now apply le_INR.
  Qed.

  Lemma one_interval (l : list nat) t : NoDup l -> sum l (fun i => one (inside i t)) <= 1.
  Proof.
    induction 1 as [|i l Hi Hd IH]; simpl; [lra|]. destruct (inside i t) eqn:E; [|simpl; lra].
    rewrite sum_zero; [simpl; lra|]. intros j Hj. destruct (inside j t) eqn:E'; [exfalso|reflexivity].
    assert (i <> j) by (intros ->; contradiction). unfold inside in *.
    destruct (Rlt_dec (below i) t); [|discriminate]. destruct (Rle_dec t (above i)); [|discriminate].
    destruct (Rlt_dec (below j) t); [|discriminate]. destruct (Rle_dec t (above j)); [|discriminate].
    destruct (Nat.lt_total i j) as [L|[L|L]]; [|contradiction|]; apply apart_intervals in L; lra.
  Qed.
End Packed.

(** A private learner of thresholds needs so many records, for every number [size] of intervals. *)
(* code: tacit.problems.reals.covers_lower.packed_thresholds
   (2 <= size)%nat <- object tacit.bounds.lower.packing.everything: if alternatives < 1: return 1
   (0 < cost)%nat <- object tacit.bounds.lower.packing.Budget.of: steps = 2 if relation is Relation.ADD_REMOVE else 1
   (forall S, sublaw (m S)) <- requires answers, each listed once, whose probabilities add up to 1
   0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
   0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
   alpha < 1 / 2 <- object tacit.problems.reals.covers_lower: pure=True, alpha=Fraction(1, 2)
   0 < beta < 1 <- check probability(beta)
   (forall S S', replace_one S S' -> within neighbours cost S S') <- object tacit.bounds.lower.packing.Budget.of: steps = 2 if relation is Relation.ADD_REMOVE else 1
   approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
   learns_thresholds alpha beta n m <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
Theorem packed_thresholds (neighbours : list (R * bool) -> list (R * bool) -> Prop)
  (m : mechanism (list (R * bool)) R) (epsilon delta alpha beta : R) (n cost size : nat) :
  (2 <= size)%nat -> (0 < cost)%nat -> (forall S, sublaw (m S)) ->
  0 < epsilon -> 0 <= delta -> alpha < 1 / 2 -> 0 < beta < 1 ->
  (forall S S', replace_one S S' -> within neighbours cost S S') ->
  approximate neighbours epsilon delta m -> learns_thresholds alpha beta n m ->
  ln ((1 - beta) / (beta / INR (size - 1) + lost epsilon delta)) / (INR cost * epsilon) <= INR n.
Proof.
  intros Hsize Hc Hlaw He Hd Ha Hb Hstep Hpriv Hacc.
  assert (HN : 0 < INR (size - 1)) by (apply lt_0_INR; lia).
  assert (Hlost : 0 <= lost epsilon delta).
  { unfold lost. apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat.
    assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra. }
  apply records_needed; try assumption; [|lra|].
  { apply Rplus_lt_le_0_compat; [apply Rdiv_lt_0_compat; lra|assumption]. }
  set (a := fun i => (below size i, false)). set (b := fun i => (above size i, true)).
  assert (Hab : forall i j, a i <> b j) by (intros i j; discriminate).
  assert (Good : forall i, (i < size)%nat ->
    at_least m n [a i; b i] (two_points number_dec (a i) (b i) (1 / 2)) (inside size i) (1 - beta)).
  { intros i Hi. set (examples := [a i; b i]). set (p := two_points number_dec (a i) (b i) (1 / 2)).
    apply (at_least_more m n examples p
      (fun t => if Rle_dec (error examples p (threshold t)) alpha then true else false)).
    - intros t Ht. destruct (Rle_dec _ _) as [L|]; [|discriminate].
      unfold error, examples, p in L. rewrite two_points_sum in L by apply Hab.
      unfold wrong, threshold, a, b in L. simpl in L. unfold inside.
      destruct (Rle_dec t (below size i)), (Rle_dec t (above size i)); simpl in L;
        destruct (Rlt_dec (below size i) t); try reflexivity; exfalso; lra.
    - apply Hacc. assert (B := below_above size Hsize i). destruct (in_unit size Hsize i Hi) as [U0 U1].
      split; [apply two_points_law; [apply Hab|lra]|]. split.
      + intros z [<-|[<-|[]]]; simpl; lra.
      + exists (above size i). split; [lra|].
        intros z [<-|[<-|[]]] _; unfold threshold, a, b; simpl; destruct (Rle_dec _ _); auto; lra. }
  replace (phi n 1) with (phi n (1 / 2 + (1 - 1 / 2) * one true)) by (f_equal; simpl; lra).
  replace (size - 1)%nat with (length (seq 1 (size - 1))) by now rewrite seq_length.
  apply (two_point_packing number_dec neighbours m epsilon delta beta (1 / 2) n cost (a 0%nat) (b 0%nat)
    a b true (seq 1 (size - 1)) (inside size) (inside size 0)); try assumption.
  - lra.
  - intros E. apply (f_equal (@length nat)) in E. rewrite seq_length in E. simpl in E. lia.
  - apply Hab.
  - intros i. apply Hab.
  - discriminate.
  - intros i before after. apply Hstep. now exists before, (a i), (a 0%nat), after.
  - intros _ i before after. apply Hstep. now exists before, (b i), (b 0%nat), after.
  - intros i Hi. apply in_seq in Hi. apply Good. lia.
  - intros t. apply (one_interval size Hsize (0%nat :: seq 1 (size - 1)) t).
    change (NoDup (seq 0 (S (size - 1)))). apply seq_NoDup.
  - apply Good. lia.
Qed.

(** So no number of records is enough for pure privacy and all distributions. *)
(* code: tacit.problems.reals.covers_lower.packed_thresholds
   (forall S, sublaw (m S)) <- requires answers, each listed once, whose probabilities add up to 1
   0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
   alpha < 1 / 2 <- object tacit.problems.reals.covers_lower: pure=True, alpha=Fraction(1, 2)
   0 < beta < 1 <- check probability(beta)
   pure replace_one epsilon m <- requires is `(epsilon, delta)`-private *)
Theorem no_number_suffices (m : mechanism (list (R * bool)) R) (epsilon alpha beta : R) (n : nat) :
  (forall S, sublaw (m S)) -> 0 < epsilon -> alpha < 1 / 2 -> 0 < beta < 1 ->
  pure replace_one epsilon m -> ~ learns_thresholds alpha beta n m.
Proof.
  intros Hlaw He Ha Hb Hpure Hacc.
  set (bound := beta / (1 - beta) * exp (INR n * epsilon)).
  assert (H0 : 0 < bound) by (apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra|apply exp_pos]).
  destruct (Rcomplements.nfloor_ex bound) as (k & _ & Hk); [lra|].
  assert (P := packed_thresholds replace_one m epsilon 0 alpha beta n 1 (S (S k)) ltac:(lia) ltac:(lia)
    Hlaw He (Rle_refl 0) Ha Hb (proj1 steps_of_relations)
    (pure_approximate replace_one epsilon m Hpure) Hacc).
  replace (S (S k) - 1)%nat with (S k) in P by lia. unfold lost in P.
  replace (0 / (exp epsilon - 1)) with 0 in P by (unfold Rdiv; ring).
  rewrite Rplus_0_r in P. simpl (INR 1) in P. rewrite Rmult_1_l in P.
  apply (Rmult_le_compat_r epsilon) in P; [|lra]. unfold Rdiv at 1 in P.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r in P by lra.
  assert (HK : bound < INR (S k)) by (rewrite S_INR; lra).
  assert (HK0 : 0 < INR (S k)) by lra.
  assert (Hlt : exp (INR n * epsilon) < (1 - beta) / (beta / INR (S k))).
  { replace ((1 - beta) / (beta / INR (S k))) with (INR (S k) * ((1 - beta) / beta)) by (field; lra).
    replace (exp (INR n * epsilon)) with (bound * ((1 - beta) / beta)) by (unfold bound; field; lra).
    apply Rmult_lt_compat_r; [apply Rdiv_lt_0_compat; lra|assumption]. }
  apply ln_increasing in Hlt; [|apply exp_pos]. rewrite ln_exp in Hlt. lra.
Qed.
