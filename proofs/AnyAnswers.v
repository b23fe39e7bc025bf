(** Packing for mechanisms with any number of answers (tacit.bounds.lower.packing.packed): a
    learner over the reals may have infinitely many. Finitely many of them have almost all of the
    probability, and for these PackingSpread.v counts. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Composition Groups Packing MasterBound Coupling
  PackingSpread Vectors.
Import ListNotations.
Open Scope R_scope.

(** The probability, over a sample of [n] records and the mechanism, of an answer in [event] is
    at least [c]: finitely many answers come as near to [c] as one likes. *)
Definition at_least {Z O : Type} (m : mechanism (list Z) O) (n : nat) (examples : list Z)
  (q : Z -> R) (event : O -> bool) (c : R) : Prop :=
  forall gap, 0 < gap -> exists l, NoDup l /\ (forall o, In o l -> event o = true) /\
  c - gap <= sum (samples examples n) (fun S => sample_mass q S * sum l (m S)).

(** With finitely many answers that is the probability itself. *)
Lemma finitely_many {Z O} (m : mechanism (list Z) O) outcomes n examples q event c :
  NoDup outcomes -> c <= answers m outcomes n examples q event -> at_least m n examples q event c.
Proof.
  intros Hd H gap Hg. exists (filter event outcomes). split; [now apply NoDup_filter|]. split.
  - intros o Ho. now apply filter_In in Ho.
  - rewrite (sum_ext (samples examples n) _ (fun S => sample_mass q S * probability outcomes (m S) event))
      by (intros S _; f_equal; apply sum_filter).
    unfold answers in H. lra.
Qed.

Lemma at_least_more {Z O} (m : mechanism (list Z) O) n examples q (event event' : O -> bool) c :
  (forall o, event o = true -> event' o = true) ->
  at_least m n examples q event c -> at_least m n examples q event' c.
Proof.
  intros He H gap Hg. destruct (H gap Hg) as (l & Hl & Hin & Hs). exists l. auto.
Qed.

Section Bound.
  Context {Z O I : Type}.
  Variable neighbours : list Z -> list Z -> Prop.
  Variable m : mechanism (list Z) O.
  Variables epsilon delta beta p : R.
  Variables n cost : nat.

  Hypothesis laws : forall S, sublaw (m S).
  Hypothesis epsilon_positive : 0 < epsilon.
  Hypothesis delta_not_negative : 0 <= delta.
  Hypothesis private : approximate neighbours epsilon delta m.

  Variable base_examples : list Z.
  Variable base_law : Z -> R.
  Variable alternatives : list I.
  Variable examples : I -> list Z.
  Variable law_of : I -> Z -> R.
  Variable pairs : I -> list (Z * Z).
  Variable coupling : I -> Z * Z -> R.
  Variable differ : I -> Z * Z -> bool.
  Variable good : I -> O -> bool.

  Hypothesis some : alternatives <> [].
  Hypothesis base_lawful : finite_law base_examples base_law.
  Hypothesis laws_of : forall i, In i alternatives -> finite_law (examples i) (law_of i).
  Hypothesis lawful : forall i, In i alternatives -> finite_law (pairs i) (coupling i).
  Hypothesis base_side : forall i, In i alternatives -> forall g,
    sum (pairs i) (fun w => coupling i w * g (fst w)) = sum base_examples (fun z => base_law z * g z).
  Hypothesis other_side : forall i, In i alternatives -> forall g,
    sum (pairs i) (fun w => coupling i w * g (snd w)) = sum (examples i) (fun z => law_of i z * g z).
  Hypothesis rarely : forall i, In i alternatives -> chance (pairs i) (coupling i) (differ i) <= p.
  Hypothesis p_probability : p <= 1.
  Hypothesis same : forall i w, In i alternatives -> In w (pairs i) -> differ i w = false -> fst w = snd w.
  Hypothesis one_change : forall i w, In i alternatives -> In w (pairs i) -> differ i w = true ->
    forall before after,
    within neighbours cost (before ++ snd w :: after) (before ++ fst w :: after).
  Hypothesis accurate : forall i, In i alternatives ->
    at_least m n (examples i) (law_of i) (good i) (1 - beta).

  (** Finitely many answers that come near for one event. *)
  Lemma near_answers gap (some_examples : list Z) (q : Z -> R) (event : O -> bool) outcomes :
    (forall z, 0 <= q z) ->
    (exists l, NoDup l /\ (forall o, In o l -> event o = true) /\ incl l outcomes /\
       1 - beta - gap <= sum (samples some_examples n) (fun S => sample_mass q S * sum l (m S))) ->
    1 - (beta + gap) <= answers m outcomes n some_examples q event.
  Proof.
    intros Hq (l & Hl & He & Hi & H). unfold answers.
    replace (1 - (beta + gap)) with (1 - beta - gap) by ring. eapply Rle_trans; [exact H|].
    apply sum_le. intros S _. apply Rmult_le_compat_l; [now apply sample_mass_nonneg|].
    unfold probability. rewrite (sum_ext l (m S) (fun o => if event o then m S o else 0))
      by (intros o Ho; now rewrite He).
    apply sum_incl; auto. intros o _. destruct (event o); [apply (laws S)|lra].
  Qed.

  Lemma phi_linear gap edge rate :
    phi n p rate (beta + gap) edge = phi n p rate beta edge - gap * exp (- (rate * INR edge)).
  Proof. unfold phi. ring. Qed.

  (** Good sets disjoint, also from the base's own. *)
  (* code: tacit.bounds.lower.packing.packed
     forall S, sublaw (m S) <- requires answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     alternatives <> [] <- requires there is at least one alternative
     finite_law base_examples base_law <- requires every distribution has finitely many values
     forall i, In i alternatives -> finite_law (examples i) (law_of i) <- requires every distribution has finitely many values
     forall i, In i alternatives -> finite_law (pairs i) (coupling i) <- requires every distribution has finitely many values
     forall i, In i alternatives -> forall g, sum (pairs i) (fun w => coupling i w * g (fst w)) = sum base_examples (fun z => base_law z * g z) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> forall g, sum (pairs i) (fun w => coupling i w * g (snd w)) = sum (examples i) (fun z => law_of i z * g z) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> chance (pairs i) (coupling i) (differ i) <= p <- requires the samples of an alternative and of the base are so many steps apart as is said
     p <= 1 <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1
     forall i w, In i alternatives -> In w (pairs i) -> differ i w = false -> fst w = snd w <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i w, In i alternatives -> In w (pairs i) -> differ i w = true -> forall before after, within neighbours cost (before ++ snd w :: after) (before ++ fst w :: after) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> at_least m n (examples i) (law_of i) (good i) (1 - beta) <- requires answers well, with probability `1 - beta`, for every distribution of a family
     (forall o, one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) <- requires `G_i` are the good answers for distribution `i`
     at_least m n base_examples base_law base_good (1 - beta) <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem packed_any (base_good : O -> bool) edge :
    (forall o, one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) ->
    at_least m n base_examples base_law base_good (1 - beta) ->
    phi n p (INR cost * epsilon) beta edge
    <= beta / INR (length alternatives) + lost epsilon delta.
  Proof.
    intros Hdis Hbase. apply le_epsilon. intros slack Hslack.
    set (gap := slack / 2). assert (Hg : 0 < gap) by (unfold gap; lra).
    assert (G : exists outcomes, NoDup outcomes /\
      1 - (beta + gap) <= answers m outcomes n base_examples base_law base_good /\
      forall i, In i alternatives ->
        1 - (beta + gap) <= answers m outcomes n (examples i) (law_of i) (good i)).
    { destruct (Hbase gap Hg) as (l0 & L1 & L2 & L3).
      assert (A : exists some_list, incl l0 some_list /\ forall i, In i alternatives ->
        exists l, NoDup l /\ (forall o, In o l -> good i o = true) /\ incl l some_list /\
          1 - beta - gap <= sum (samples (examples i) n) (fun S => sample_mass (law_of i) S * sum l (m S))).
      { clear some laws_of lawful base_side other_side rarely same one_change Hdis.
        revert accurate. induction alternatives as [|i rest IH]; intros Hacc.
        - exists l0. split; [apply incl_refl|]. intros i [].
        - destruct IH as (some_list & I0 & I1); [intros j Hj; apply Hacc; now right|].
          destruct (Hacc i (or_introl eq_refl) gap Hg) as (l & K1 & K2 & K3).
          exists (l ++ some_list). split; [now apply incl_appr|]. intros j [<-|Hj].
          + exists l. repeat split; auto. apply incl_appl, incl_refl.
          + destruct (I1 j Hj) as (l' & J1 & J2 & J3 & J4). exists l'. repeat split; auto.
            now apply incl_appr. }
      destruct A as (some_list & A0 & A1). destruct (deduplicate some_list) as (d & D1 & D2).
      exists d. split; [assumption|]. destruct base_lawful as (_ & B0 & _). split.
      - apply near_answers; auto. exists l0. repeat split; auto. now apply incl_tran with some_list.
      - intros i Hi. destruct (laws_of i Hi) as (_ & C0 & _).
        destruct (A1 i Hi) as (l & J1 & J2 & J3 & J4).
        apply near_answers; auto. exists l. repeat split; auto. now apply incl_tran with some_list. }
    destruct G as (outcomes & N & B & A).
    pose proof (packed neighbours m outcomes epsilon delta (beta + gap) p n cost N laws epsilon_positive
      delta_not_negative private base_examples base_law alternatives examples law_of pairs coupling
      differ good some base_lawful lawful base_side other_side rarely p_probability same one_change
      A base_good edge (fun o _ => Hdis o) B) as P.
    rewrite phi_linear in P. set (tau := exp (- (INR cost * epsilon * INR edge))) in *.
    assert (Ht : 0 < tau <= 1).
    { unfold tau. split; [apply exp_pos|]. rewrite <- exp_0.
      assert (0 <= INR cost * epsilon * INR edge)
        by (apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR|lra]|apply pos_INR]).
      destruct H as [H|H]; [left; apply exp_increasing; lra|rewrite <- H, Ropp_0; lra]. }
    assert (HN : 1 <= INR (length alternatives)).
    { replace 1 with (INR 1) by reflexivity. apply le_INR. destruct alternatives; [congruence|simpl; lia]. }
    assert (gap / INR (length alternatives) <= gap).
    { apply Rmult_le_reg_r with (INR (length alternatives)); [lra|]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite <- (Rmult_1_r gap) at 1.
      apply Rmult_le_compat_l; lra. }
    assert (gap * tau <= gap * 1) by (apply Rmult_le_compat_l; lra).
    unfold Rdiv in *. rewrite Rmult_plus_distr_r in P. unfold gap in *. lra.
  Qed.
End Bound.

(** How many steps a replaced record and a changed label are: tacit.bounds.lower.packing.Budget.of.
    Under add/remove both are two, else one. *)
(* code: tacit.bounds.lower.packing.Budget
*)
Theorem steps_of_relations {X Y : Type} :
  (forall S S' : list (X * Y), replace_one S S' -> within replace_one 1 S S') /\
  (forall S S' : list (X * Y), replace_one S S' -> within add_remove 2 S S') /\
  (forall S S' : list (X * Y), label S S' -> within label 1 S S') /\
  (forall S S' : list (X * Y), label S S' -> within replace_one 1 S S') /\
  (forall S S' : list (X * Y), label S S' -> within add_remove 2 S S').
Proof.
  assert (One : forall (r : list (X * Y) -> list (X * Y) -> Prop) S S', r S S' -> within r 1 S S').
  { intros r S S' H. exists S'. split; [assumption|reflexivity]. }
  repeat split; intros S S' H; auto using replace_one_is_two, label_is_replace_one.
Qed.

(** What holds for probabilities above [alpha] holds at [alpha] itself. *)
Lemma phi_limit n alpha rate beta edge target : 0 <= alpha < 1 -> 0 <= rate ->
  (forall q, alpha < q <= 1 -> phi n q rate beta edge <= target) ->
  phi n alpha rate beta edge <= target.
Proof.
  intros Ha Hr H. apply le_epsilon. intros gap Hgap.
  assert (Hn := pos_INR n).
  set (q' := alpha + Rmin (1 - alpha) (gap / (INR n + 1))).
  assert (Hg : 0 < gap / (INR n + 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hq : alpha < q' <= 1).
  { unfold q'. split; [|pose proof (Rmin_l (1 - alpha) (gap / (INR n + 1))); lra].
    assert (0 < Rmin (1 - alpha) (gap / (INR n + 1))) by (apply Rmin_glb_lt; lra). lra. }
  specialize (H q' Hq). unfold phi in *.
  set (f := fun k => Rmin (exp (- (rate * INR k))) (exp (- (rate * INR edge)))) in *.
  assert (Hf : forall k, 0 <= f k <= 1).
  { intros k. unfold f. split; [apply Rmin_glb; apply exp_ge_0|].
    eapply Rle_trans; [apply Rmin_l|]. rewrite <- exp_0.
    assert (0 <= rate * INR k) by (apply Rmult_le_pos; [lra|apply pos_INR]).
    destruct H0 as [H0|H0]; [left; apply exp_increasing; lra|rewrite <- H0, Ropp_0; lra]. }
  assert (L := binomial_mean_lipschitz n alpha q' f ltac:(lra) (proj2 Hq) Hf).
  assert (INR n * (q' - alpha) <= gap).
  { assert (q' - alpha <= gap / (INR n + 1)) by (unfold q'; pose proof (Rmin_r (1 - alpha) (gap / (INR n + 1))); lra).
    apply Rle_trans with ((INR n + 1) * (gap / (INR n + 1))); [|right; field; lra].
    apply Rmult_le_compat; lra. }
  lra.
Qed.

(** If all records differ, [phi] is a power, and the bound is a number of records. *)
Lemma phi_all n rate beta : phi n 1 rate beta n = (1 - beta) * exp (- (INR n * rate)).
Proof.
  assert (E : forall k f, binomial_mean k 1 f = f k).
  { induction k as [|k IH]; intros f; simpl; [reflexivity|]. rewrite !IH. ring. }
  unfold phi. rewrite E, Rmin_left by lra. rewrite (Rmult_comm rate). ring.
Qed.

Lemma records_needed n cost epsilon beta target : 0 < epsilon -> (0 < cost)%nat -> 0 < target ->
  beta < 1 -> phi n 1 (INR cost * epsilon) beta n <= target ->
  ln ((1 - beta) / target) / (INR cost * epsilon) <= INR n.
Proof.
  intros He Hc Ht Hb H. rewrite phi_all in H. apply steps_needed; try assumption.
  apply Rmult_lt_0_compat; [now apply lt_0_INR|assumption].
Qed.
