(** Packing lower bounds in a finite form (tacit.bounds.lower.packing.everything_at and
    everything). Beimel, Brenner, Kasiviswanathan and Nissim, Lemma 3.9; Chaudhuri and Hsu,
    Theorems 5 and 12; Bun, Nissim and Stemmer, Theorem 52: each chooses data sets and good
    sets, and this counts. Their choices are in RarePoint.v, PackedThresholds.v, Apart.v and
    LabelVectors.v.

    [steps] is the number of steps from neighbour to neighbour: the number of records under
    replace-one and label privacy, twice that number under add/remove. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Composition Groups.
Import ListNotations.
Open Scope R_scope.

(** The probability of an event among finitely many outcomes. *)
Definition probability {O : Type} (outcomes : list O) (p : O -> R) (event : O -> bool) : R :=
  sum outcomes (fun o => if event o then p o else 0).

(** 1 if true, else 0. *)
Definition one (b : bool) : R := if b then 1 else 0.

(** The share [lost] to delta: tacit.bounds.lower.packing.Budget.lost. *)
Definition lost (epsilon delta : R) : R := delta / (exp epsilon - 1).

Section Packing.
  Context {D O I : Type}.
  Variable neighbours : D -> D -> Prop.
  Variable m : mechanism D O.
  Variable outcomes : list O.
  Variables epsilon delta beta : R.

  Hypothesis distinct : NoDup outcomes.
  Hypothesis laws : forall S, sublaw (m S).
  Hypothesis epsilon_positive : 0 < epsilon.
  Hypothesis delta_not_negative : 0 <= delta.
  Hypothesis private : approximate neighbours epsilon delta m.

  (** The data set of each alternative and what is a good answer to it. *)
  Variable alternatives : list I.
  Variable data : I -> D.
  Variable good : I -> O -> bool.
  Variable base : D.
  Variable steps : nat.

  Hypothesis some : alternatives <> [].
  Hypothesis near : forall i, In i alternatives ->
    exists k, (k <= steps)%nat /\ within neighbours k (data i) base.
  Hypothesis accurate : forall i, In i alternatives ->
    1 - beta <= probability outcomes (m (data i)) (good i).

  Lemma exp_epsilon : 0 < exp epsilon - 1.
  Proof.
    assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra.
  Qed.

  (** On the base data each good set keeps a part of its probability. *)
  Lemma kept_probability i : In i alternatives -> beta <= 1 ->
    (1 - beta) * exp (- (INR steps * epsilon)) - lost epsilon delta
    <= probability outcomes (m base) (good i).
  Proof.
    intros Hi Hb. destruct (near i Hi) as (k & Hk & Hw). specialize (accurate i Hi).
    pose proof exp_epsilon as He.
    pose proof (approximate_event (within neighbours k) _ _ m outcomes (good i) (data i) base distinct
                  (group_approximate neighbours epsilon delta m k epsilon_positive private) Hw) as G.
    fold (probability outcomes (m (data i)) (good i)) in G.
    fold (probability outcomes (m base) (good i)) in G.
    set (p := probability outcomes (m base) (good i)) in *.
    set (w := exp (- (INR k * epsilon))).
    assert (Hw0 : 0 < w) by apply exp_pos.
    assert (Hww : w * exp (INR k * epsilon) = 1).
    { unfold w. rewrite <- exp_plus, Rplus_opp_l. apply exp_0. }
    assert (Hmono : exp (- (INR steps * epsilon)) <= w).
    { unfold w. assert (- (INR steps * epsilon) <= - (INR k * epsilon)).
      { apply Ropp_le_contravar, Rmult_le_compat_r; [lra|]. now apply le_INR. }
      destruct H as [H|H]; [left; now apply exp_increasing|right; now rewrite H]. }
    assert (Hlow : (1 - beta) * exp (- (INR steps * epsilon)) <= (1 - beta) * w)
      by (apply Rmult_le_compat_l; lra).
    assert (Hup : (1 - beta) * w <= p + lost epsilon delta * (1 - w)).
    { apply Rle_trans with
        ((exp (INR k * epsilon) * p + delta * ((exp (INR k * epsilon) - 1) / (exp epsilon - 1))) * w).
      - apply Rmult_le_compat_r; lra.
      - right. unfold lost.
        replace ((exp (INR k * epsilon) * p +
          delta * ((exp (INR k * epsilon) - 1) / (exp epsilon - 1))) * w)
          with ((w * exp (INR k * epsilon)) * p +
            delta * (w * exp (INR k * epsilon) - w) / (exp epsilon - 1)) by (field; lra).
        rewrite Hww. field. lra. }
    assert (0 <= lost epsilon delta * w).
    { apply Rmult_le_pos; [|lra]. unfold lost. apply Rmult_le_pos; [assumption|].
      left. now apply Rinv_0_lt_compat. }
    lra.
  Qed.

  Lemma total_kept : beta <= 1 ->
    INR (length alternatives) *
      ((1 - beta) * exp (- (INR steps * epsilon)) - lost epsilon delta)
    <= sum outcomes (fun o => m base o * sum alternatives (fun i => one (good i o))).
  Proof.
    intros Hb. rewrite <- sum_const.
    apply Rle_trans with (sum alternatives (fun i => probability outcomes (m base) (good i))).
    - apply sum_le. intros i Hi. now apply kept_probability.
    - right. unfold probability. rewrite sum_swap. apply sum_ext. intros o _.
      rewrite <- sum_scal. apply sum_ext. intros i _. unfold one. destruct (good i o); lra.
  Qed.

  Lemma alternatives_count : 0 < INR (length alternatives).
  Proof. apply lt_0_INR. destruct alternatives; [congruence|simpl; lia]. Qed.

  (** An answer is good for at most a share [room] of the alternatives. *)
  (* code: tacit.bounds.lower.packing.everything_at
     NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
     forall S, sublaw (m S) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     alternatives <> [] <- requires there is at least one alternative
     forall i, In i alternatives -> exists k, (k <= steps)%nat /\ within neighbours k (data i) base <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> 1 - beta <= probability outcomes (m (data i)) (good i) <- requires answers well, with probability `1 - beta`, for every distribution of a family
     beta <= 1 <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1
     (forall o, In o outcomes -> sum alternatives (fun i => one (good i o)) <= room * INR (length alternatives)) <- requires `G_i` are the good answers for distribution `i`
     0 <= room <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1 *)
  Theorem packing_room room : beta <= 1 ->
    (forall o, In o outcomes ->
       sum alternatives (fun i => one (good i o)) <= room * INR (length alternatives)) ->
    0 <= room ->
    (1 - beta) * exp (- (INR steps * epsilon)) <= room + lost epsilon delta.
  Proof.
    intros Hb Hroom Hr. pose proof alternatives_count as HN.
    pose proof (total_kept Hb) as HT. set (N := INR (length alternatives)) in *.
    assert (H : sum outcomes (fun o => m base o * sum alternatives (fun i => one (good i o)))
                <= room * N).
    { apply Rle_trans with (sum outcomes (fun o => (room * N) * m base o)).
      - apply sum_le. intros o Ho. rewrite Rmult_comm. apply Rmult_le_compat_r; [apply (laws base)|].
        now apply Hroom.
      - rewrite sum_scal. rewrite <- (Rmult_1_r (room * N)) at 2. apply Rmult_le_compat_l.
        + apply Rmult_le_pos; lra.
        + now apply (laws base). }
    apply Rmult_le_reg_l with N; [assumption|]. lra.
  Qed.

  (** The good sets are disjoint from each other and from the good set of the base. *)
  (* code: tacit.bounds.lower.packing.everything
     NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
     forall S, sublaw (m S) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     alternatives <> [] <- requires there is at least one alternative
     forall i, In i alternatives -> exists k, (k <= steps)%nat /\ within neighbours k (data i) base <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> 1 - beta <= probability outcomes (m (data i)) (good i) <- requires answers well, with probability `1 - beta`, for every distribution of a family
     beta <= 1 <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1
     (forall o, In o outcomes -> one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) <- requires `G_i` are the good answers for distribution `i`
     1 - beta <= probability outcomes (m base) base_good <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem packing_disjoint (base_good : O -> bool) : beta <= 1 ->
    (forall o, In o outcomes ->
       one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) ->
    1 - beta <= probability outcomes (m base) base_good ->
    (1 - beta) * exp (- (INR steps * epsilon))
    <= beta / INR (length alternatives) + lost epsilon delta.
  Proof.
    intros Hb Hdis Hbase. pose proof alternatives_count as HN.
    pose proof (total_kept Hb) as HT. set (N := INR (length alternatives)) in *.
    assert (H : probability outcomes (m base) base_good +
        sum outcomes (fun o => m base o * sum alternatives (fun i => one (good i o))) <= 1).
    { unfold probability. rewrite <- sum_plus.
      apply Rle_trans with (sum outcomes (m base)); [|now apply (laws base)].
      apply sum_le. intros o Ho. specialize (Hdis o Ho). destruct (laws base) as [H0 _].
      specialize (H0 o).
      replace (if base_good o then m base o else 0) with (m base o * one (base_good o))
        by (unfold one; destruct (base_good o); ring).
      rewrite <- Rmult_plus_distr_l. rewrite <- (Rmult_1_r (m base o)) at 2.
      now apply Rmult_le_compat_l. }
    apply Rmult_le_reg_l with N; [assumption|].
    rewrite Rmult_plus_distr_l. replace (N * (beta / N)) with beta by (field; lra). lra.
  Qed.

  (** In the form of the code: this many steps are needed. *)
  Lemma steps_needed target : 0 < target -> beta < 1 ->
    (1 - beta) * exp (- (INR steps * epsilon)) <= target ->
    ln ((1 - beta) / target) / epsilon <= INR steps.
  Proof.
    intros Ht Hb H. apply Rmult_le_reg_r with epsilon; [assumption|].
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite <- (ln_exp (INR steps * epsilon)).
    assert (Hx : (1 - beta) / target <= exp (INR steps * epsilon)).
    { apply Rmult_le_reg_r with target; [assumption|]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rmult_le_reg_r with (exp (- (INR steps * epsilon))); [apply exp_pos|].
      replace (exp (INR steps * epsilon) * target * exp (- (INR steps * epsilon)))
        with (target * (exp (INR steps * epsilon) * exp (- (INR steps * epsilon)))) by ring.
      rewrite <- exp_plus, Rplus_opp_r, exp_0. lra. }
    destruct Hx as [Hx|Hx]; [|right; now rewrite Hx]. left. apply ln_increasing; [|assumption].
    apply Rmult_lt_0_compat; [lra|]. now apply Rinv_0_lt_compat.
  Qed.

  (** tacit.bounds.lower.packing.everything_at. *)
  (* code: tacit.bounds.lower.packing.everything_at
     NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
     forall S, sublaw (m S) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     alternatives <> [] <- requires there is at least one alternative
     forall i, In i alternatives -> exists k, (k <= steps)%nat /\ within neighbours k (data i) base <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> 1 - beta <= probability outcomes (m (data i)) (good i) <- requires answers well, with probability `1 - beta`, for every distribution of a family
     beta < 1 <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1
     (forall o, In o outcomes -> sum alternatives (fun i => one (good i o)) <= room * INR (length alternatives)) <- requires `G_i` are the good answers for distribution `i`
     0 < room <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1 *)
  Theorem everything_at room : beta < 1 ->
    (forall o, In o outcomes ->
       sum alternatives (fun i => one (good i o)) <= room * INR (length alternatives)) ->
    0 < room ->
    ln ((1 - beta) / (room + lost epsilon delta)) / epsilon <= INR steps.
  Proof.
    intros Hb Hroom Hr. apply steps_needed; [|assumption|apply packing_room; try assumption; lra].
    apply Rplus_lt_le_0_compat; [assumption|]. unfold lost. apply Rmult_le_pos; [assumption|].
    left. apply Rinv_0_lt_compat, exp_epsilon.
  Qed.

  (** tacit.bounds.lower.packing.everything, with delta. *)
  (* code: tacit.bounds.lower.packing.everything
     NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
     forall S, sublaw (m S) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     alternatives <> [] <- requires there is at least one alternative
     forall i, In i alternatives -> exists k, (k <= steps)%nat /\ within neighbours k (data i) base <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> 1 - beta <= probability outcomes (m (data i)) (good i) <- requires answers well, with probability `1 - beta`, for every distribution of a family
     0 < beta < 1 <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1
     (forall o, In o outcomes -> one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) <- requires `G_i` are the good answers for distribution `i`
     1 - beta <= probability outcomes (m base) base_good <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem everything_approximate (base_good : O -> bool) : 0 < beta < 1 ->
    (forall o, In o outcomes ->
       one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) ->
    1 - beta <= probability outcomes (m base) base_good ->
    ln ((1 - beta) / (beta / INR (length alternatives) + lost epsilon delta)) / epsilon <= INR steps.
  Proof.
    intros [Hb0 Hb1] Hdis Hbase. pose proof alternatives_count as HN. apply steps_needed.
    - apply Rplus_lt_le_0_compat; [now apply Rdiv_lt_0_compat|]. unfold lost.
      apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat, exp_epsilon.
    - assumption.
    - apply (packing_disjoint base_good); try assumption. lra.
  Qed.
End Packing.

(** Data sets pairwise within [n] records of each other, with disjoint good sets: pure privacy
    needs [n >= ln ((N - 1) (1 - beta) / beta) / epsilon] records. *)
(* code: tacit.bounds.lower.packing.everything
   NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
   (forall S, sublaw (m S)) <- requires finitely many answers, each listed once, whose probabilities add up to 1
   0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
   0 < beta < 1 <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1
   pure neighbours epsilon m <- requires is `(epsilon, delta)`-private
   (forall c, In c others -> exists k, (k <= n)%nat /\ within neighbours k (fst c) (fst base)) <- requires the samples of an alternative and of the base are so many steps apart as is said
   (forall c, In c (base :: others) -> 1 - beta <= probability outcomes (m (fst c)) (snd c)) <- requires answers well, with probability `1 - beta`, for every distribution of a family
   (forall o, In o outcomes -> sum (base :: others) (fun c => one (snd c o)) <= 1) <- requires `G_i` are the good answers for distribution `i`
   others <> [] <- requires there is at least one alternative *)
Theorem everything {D O} (neighbours : D -> D -> Prop) (m : mechanism D O) (outcomes : list O)
  (epsilon beta : R) (base : D * (O -> bool)) (others : list (D * (O -> bool))) (n : nat) :
  NoDup outcomes -> (forall S, sublaw (m S)) -> 0 < epsilon -> 0 < beta < 1 ->
  pure neighbours epsilon m ->
  (forall c, In c others ->
     exists k, (k <= n)%nat /\ within neighbours k (fst c) (fst base)) ->
  (forall c, In c (base :: others) -> 1 - beta <= probability outcomes (m (fst c)) (snd c)) ->
  (forall o, In o outcomes -> sum (base :: others) (fun c => one (snd c o)) <= 1) ->
  others <> [] ->
  let N := INR (length (base :: others)) in
  ln ((N - 1) * (1 - beta) / beta) / epsilon <= INR n.
Proof.
  intros Hd Hl He Hb Hp Hn Ha Hg Hne N.
  pose proof (everything_approximate neighbours m outcomes epsilon 0 beta Hd Hl He (Rle_refl 0)
    (pure_approximate neighbours epsilon m Hp) others fst snd (fst base) n Hne Hn
    (fun c Hc => Ha c (or_intror Hc)) (snd base) Hb
    (fun o Ho => Hg o Ho) (Ha base (or_introl eq_refl))) as M.
  assert (HN : N - 1 = INR (length others)).
  { unfold N. change (length (base :: others)) with (S (length others)). rewrite S_INR. lra. }
  assert (0 < INR (length others)) by (apply lt_0_INR; destruct others; [congruence|simpl; lia]).
  rewrite HN. replace (INR (length others) * (1 - beta) / beta)
    with ((1 - beta) / (beta / INR (length others) + lost epsilon 0)); [exact M|].
  assert (He' : 0 < exp epsilon - 1).
  { assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra. }
  unfold lost. field. repeat split; lra.
Qed.
