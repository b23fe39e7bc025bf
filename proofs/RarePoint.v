(** Points, proper: Lemma 3.9 of Beimel, Brenner, Kasiviswanathan and Nissim as an instance of the
    packing bound (tacit.problems.points.points_lower.rare_point). *)
From Coq Require Import Reals Lra List Bool Lia Arith.
From Tacit Require Import Sums Definitions Composition Groups Packing MasterBound Coupling
  PackingSpread AnyAnswers TwoPoints.
Import ListNotations.
Open Scope R_scope.

(** A law's answers add up, also on average. *)
Lemma answers_complement {Z O} (m : mechanism (list Z) O) (outcomes : list O) n
  (examples : list Z) (p : Z -> R) (good bad : O -> bool) beta :
  finite_law examples p -> (forall S, finite_law outcomes (m S)) ->
  (forall o, In o outcomes -> bad o = negb (good o)) ->
  sum (samples examples n) (fun S => sample_mass p S * probability outcomes (m S) bad) <= beta ->
  1 - beta <= answers m outcomes n examples p good.
Proof.
  intros Hp Hm Hgb Hbad. unfold answers.
  assert (T : sum (samples examples n) (sample_mass p) = 1) by now apply base_mass.
  assert (E : sum (samples examples n) (fun S => sample_mass p S * probability outcomes (m S) good)
    = 1 - sum (samples examples n) (fun S => sample_mass p S * probability outcomes (m S) bad)).
  { rewrite <- T, <- sum_minus. apply sum_ext. intros S _. destruct (Hm S) as (_ & _ & _ & H1).
    replace (probability outcomes (m S) good) with (1 - probability outcomes (m S) bad); [ring|].
    unfold probability. rewrite <- H1, <- sum_minus. apply sum_ext. intros o Ho.
    rewrite (Hgb o Ho). destruct (good o); simpl; ring. }
  rewrite E. lra.
Qed.

(** ** Points

    The class has a point function for each of finitely many values, named by the value. Accuracy
    is asked for only where all records show such values. *)
Section RarePoint.
  Context {X : Type}.
  Variable eq_dec : forall x y : X, {x = y} + {x <> y}.
  Definition point (i x : X) : bool := if eq_dec i x then true else false.
  Variable values : list X.
  Variable neighbours : list (X * bool) -> list (X * bool) -> Prop.
  Variable m : mechanism (list (X * bool)) X.
  Variables epsilon delta alpha beta : R.
  Variables n cost : nat.

  Definition record_dec : forall x y : X * bool, {x = y} + {x <> y}.
  Proof. decide equality; apply bool_dec. Defined.

  (** [pac], but only for examples whose values are among [values]. *)
  Definition pac_on_values : Prop :=
    forall examples p, incl (map fst examples) values -> realizable values point examples p ->
    sum (samples examples n) (fun S => sample_mass p S *
      sum values (fun h => if Rlt_dec alpha (error examples p (point h)) then m S h else 0)) <= beta.

  Lemma pac_is_pac_on_values : pac alpha beta n values point m -> pac_on_values.
  Proof. intros H examples p _. apply H. Qed.

  Lemma sum_hits (l : list X) j : NoDup l -> sum l (fun i => one (point j i)) <= 1.
  Proof.
    induction 1 as [|i l Hi Hd IH]; simpl; [lra|]. unfold one at 1, point at 1.
    destruct (eq_dec j i) as [->|]; [|lra]. rewrite sum_zero; [lra|].
    intros k Hk. unfold one, point. destruct (eq_dec i k); [now subst|reflexivity].
  Qed.

  (** The rare point has any probability [q] above [alpha]. *)
  Lemma rare_point_above q edge : (3 <= length values)%nat ->
    0 < epsilon -> 0 <= delta -> 0 <= alpha < q -> q <= 1 ->
    (forall S, finite_law values (m S)) ->
    (forall S S', replace_one S S' -> within neighbours cost S S') ->
    approximate neighbours epsilon delta m -> pac_on_values ->
    phi n q (INR cost * epsilon) beta edge <= beta / INR (length values - 2) + lost epsilon delta.
  Proof.
    intros Hsize He Hd [Ha0 Ha] Hq Hlaw Hstep Hpriv Hpac. pose proof (proj1 (Hlaw [])) as Hnd.
    destruct values as [|v0 [|v1 others]] eqn:Ev; [simpl in Hsize; lia|simpl in Hsize; lia|].
    rewrite <- Ev in *. set (rare := fun i : X => (i, true)). set (common := (v0, false)).
    assert (Hne : forall i, rare i <> common) by (intros i; discriminate).
    assert (Hacc : forall i, In i values -> i <> v0 ->
      at_least m n [rare i; common] (two_points record_dec (rare i) common q)
        (fun j => point j i) (1 - beta)).
    { intros i Hi Hi0. apply (finitely_many m values); [assumption|].
      assert (Herr : forall j, error [rare i; common] (two_points record_dec (rare i) common q) (point j)
        = q * INR (wrong (point j) (rare i)) + (1 - q) * INR (wrong (point j) common))
        by (intros j; exact (two_points_sum record_dec (rare i) common q
              (fun z => INR (wrong (point j) z)) (Hne i))).
      apply (answers_complement m values n _ _ _
        (fun j => if Rlt_dec alpha (error [rare i; common] (two_points record_dec (rare i) common q) (point j))
                  then true else false)).
      - apply two_points_law; [apply Hne|lra].
      - assumption.
      - intros j _. rewrite Herr. unfold wrong, point, rare, common; simpl.
        destruct (eq_dec j i) as [->|Hj]; simpl.
        + destruct (eq_dec i v0); [contradiction|]. simpl. rewrite !Rmult_0_r, Rplus_0_r.
          destruct (Rlt_dec alpha 0); [lra|reflexivity].
        + destruct (Rlt_dec _ _) as [|N]; [reflexivity|]. exfalso. apply N.
          destruct (eq_dec j v0); simpl; lra.
      - eapply Rle_trans; [|apply (Hpac [rare i; common] (two_points record_dec (rare i) common q))].
        + right. apply sum_ext. intros S _. f_equal. unfold probability. apply sum_ext. intros j _.
          destruct (Rlt_dec _ _); reflexivity.
        + intros x [<-|[<-|[]]]; [assumption|]. rewrite Ev. now left.
        + split; [apply two_points_law; [apply Hne|lra]|]. exists i. split; [assumption|].
          intros z [<-|[<-|[]]] _; unfold point, rare, common; simpl.
          * destruct (eq_dec i i); congruence.
          * destruct (eq_dec i v0); congruence. }
    assert (N0 : ~ In v0 (v1 :: others) /\ NoDup (v1 :: others)) by (rewrite Ev in Hnd; now inversion Hnd).
    destruct N0 as [N0 N1].
    replace (length values - 2)%nat with (length others) by (rewrite Ev; simpl; lia).
    replace q with (q + (1 - q) * one false) at 1 by (simpl; ring).
    apply (two_point_packing record_dec neighbours m epsilon delta beta q n cost (rare v1) common
      rare (fun _ => common) false others (fun i j => point j i) (fun j => point j v1)); try assumption.
    - intros S. now apply (law_sublaw _), (finite_law_law values).
    - lra.
    - intros E. rewrite E in Ev. rewrite Ev in Hsize. simpl in Hsize. lia.
    - discriminate.
    - reflexivity.
    - intros i before after. apply Hstep. now exists before, (rare i), (rare v1), after.
    - discriminate.
    - intros i Hi. apply Hacc.
      + rewrite Ev. right. now right.
      + intros ->. apply N0. now right.
    - intros o. exact (sum_hits (v1 :: others) o N1).
    - apply Hacc; [rewrite Ev; right; now left|]. intros ->. apply N0. now left.
  Qed.

  (** A proper private learner of points needs [phi n <= beta / (size - 2)], with [phi] at
      [alpha] itself. A replaced record is [cost] steps of the relation: AnyAnswers.steps_of_relations. *)
  (* code: tacit.problems.points.points_lower.rare_point
     (3 <= length values)%nat <- object tacit.bounds.lower.packing.packed: if alternatives < 1: return 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     0 <= alpha < 1 <- check probability(alpha)
     (forall S, finite_law values (m S)) <- requires answers, each listed once, whose probabilities add up to 1
     (forall S S', replace_one S S' -> within neighbours cost S S') <- object tacit.bounds.lower.packing.Budget.of: steps = 2 if relation is Relation.ADD_REMOVE else 1
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     pac_on_values <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem rare_point edge : (3 <= length values)%nat ->
    0 < epsilon -> 0 <= delta -> 0 <= alpha < 1 ->
    (forall S, finite_law values (m S)) ->
    (forall S S', replace_one S S' -> within neighbours cost S S') ->
    approximate neighbours epsilon delta m -> pac_on_values ->
    phi n alpha (INR cost * epsilon) beta edge
    <= beta / INR (length values - 2) + lost epsilon delta.
  Proof.
    intros Hsize He Hd Ha Hlaw Hstep Hpriv Hpac. apply phi_limit; [assumption| |].
    - apply Rmult_le_pos; [apply pos_INR|lra].
    - intros q Hq. apply rare_point_above; try assumption; lra.
  Qed.
End RarePoint.
