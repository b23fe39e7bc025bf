(** Packing when only some of the records differ (tacit.bounds.lower.packing.packed and
    spread_out). The samples of the base and of an alternative are coupled record by record;
    they differ in [K] places, [K] binomial. The number [phi] is the code's: the mean of
    [exp (- epsilon K)] with probability [beta] taken away from the smallest [K]. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Composition Groups Packing MasterBound Coupling.
Import ListNotations.
Open Scope R_scope.

(** [edge] is the number of differences from which on [beta] is no longer taken away. *)
Definition phi (n : nat) (p rate beta : R) (edge : nat) : R :=
  binomial_mean n p (fun k => Rmin (exp (- (rate * INR k))) (exp (- (rate * INR edge))))
  - beta * exp (- (rate * INR edge)).

(** As the code computes it: from [edge] on the weights stay as they are, below they are
    moved to [edge], and then [beta] is taken away there. *)
Lemma phi_without_lowest n p rate beta edge : 0 < rate ->
  phi n p rate beta edge
  = sum (seq 0 (S n)) (fun k => C n k * p ^ k * (1 - p) ^ (n - k) *
      exp (- (rate * INR (Nat.max k edge)))) - beta * exp (- (rate * INR edge)).
Proof.
  intros Hr. unfold phi. rewrite binomial_mean_sum. f_equal. apply sum_ext. intros k _. f_equal.
  assert (Hm : forall i j, (i <= j)%nat -> exp (- (rate * INR j)) <= exp (- (rate * INR i))).
  { intros i j Hij. apply le_INR in Hij.
    assert (- (rate * INR j) <= - (rate * INR i))
      by (apply Ropp_le_contravar, Rmult_le_compat_l; lra).
    destruct H as [H|H]; [left; now apply exp_increasing|right; now rewrite H]. }
  destruct (Nat.le_ge_cases k edge) as [H|H].
  - rewrite Nat.max_r by assumption. apply Rmin_right. now apply Hm.
  - rewrite Nat.max_l by assumption. apply Rmin_left. now apply Hm.
Qed.

(** More records make it smaller: a number that is too few stays so for all below it. *)
(* code: tacit.bounds.lower.packing._spread_out
   0 <= p <= 1 <- object tacit.bounds.lower.packing._spread_out: if not 0 < p < 1 or target >= 1 - beta: return 1
   0 <= rate <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of for rate
   (n <= n')%nat <- object tacit.bounds.lower.packing._spread_out: return greatest(too_few, least=_first(target=target, beta=beta, epsilon=epsilon)) + 1 *)
Theorem phi_falls n n' p rate beta edge : 0 <= p <= 1 -> 0 <= rate -> (n <= n')%nat ->
  phi n' p rate beta edge <= phi n p rate beta edge.
Proof.
  intros Hp Hr Hn. unfold phi. apply Rplus_le_compat_r.
  set (f := fun k => Rmin (exp (- (rate * INR k))) (exp (- (rate * INR edge)))).
  induction Hn as [|n' _ IH]; [lra|]. eapply Rle_trans; [|exact IH].
  change (binomial_mean (S n') p f)
    with ((1 - p) * binomial_mean n' p f + p * binomial_mean n' p (fun j => f (S j))).
  assert (B : binomial_mean n' p (fun j => f (S j)) <= binomial_mean n' p f).
  { apply binomial_mean_le; [assumption|]. intros k. unfold f. apply Rle_min_compat_r.
    assert (rate * INR k <= rate * INR (S k)) by (apply Rmult_le_compat_l; [assumption|rewrite S_INR; lra]).
    destruct (Req_dec (rate * INR k) (rate * INR (S k))) as [->|]; [lra|].
    left. apply exp_increasing. lra. }
  assert (p * binomial_mean n' p (fun j => f (S j)) <= p * binomial_mean n' p f)
    by (apply Rmult_le_compat_l; lra). lra.
Qed.

Section Bound.
  Context {Z O I : Type}.
  Variable neighbours : list Z -> list Z -> Prop.
  Variable m : mechanism (list Z) O.
  Variable outcomes : list O.
  Variables epsilon delta beta p : R.
  Variables n cost : nat.

  Hypothesis distinct : NoDup outcomes.
  Hypothesis laws : forall S, sublaw (m S).
  Hypothesis epsilon_positive : 0 < epsilon.
  Hypothesis delta_not_negative : 0 <= delta.
  Hypothesis private : approximate neighbours epsilon delta m.

  (** The base law, and for each alternative its law and a coupling with the base. *)
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
  Hypothesis lawful : forall i, In i alternatives -> finite_law (pairs i) (coupling i).
  Hypothesis base_side : forall i, In i alternatives -> forall g,
    sum (pairs i) (fun w => coupling i w * g (fst w)) = sum base_examples (fun z => base_law z * g z).
  Hypothesis other_side : forall i, In i alternatives -> forall g,
    sum (pairs i) (fun w => coupling i w * g (snd w)) = sum (examples i) (fun z => law_of i z * g z).
  Hypothesis rarely : forall i, In i alternatives -> chance (pairs i) (coupling i) (differ i) <= p.
  Hypothesis p_probability : p <= 1.
  (** Records that are not said to differ are equal; a differing one is [cost] steps. *)
  Hypothesis same : forall i w, In i alternatives -> In w (pairs i) -> differ i w = false -> fst w = snd w.
  Hypothesis one_change : forall i w, In i alternatives -> In w (pairs i) -> differ i w = true ->
    forall before after,
    within neighbours cost (before ++ snd w :: after) (before ++ fst w :: after).

  (** The probability, over the sample and the mechanism, of an answer in [event]. *)
  Definition answers (examples : list Z) (q : Z -> R) (event : O -> bool) : R :=
    sum (samples examples n) (fun S => sample_mass q S * probability outcomes (m S) event).

  Hypothesis accurate : forall i, In i alternatives ->
    1 - beta <= answers (examples i) (law_of i) (good i).

  Lemma coupled_within i W : In i alternatives -> In W (samples (pairs i) n) ->
    within neighbours (cost * differences (differ i) W) (map snd W) (map fst W).
  Proof.
    intros Hi. assert (G : forall n W before, In W (samples (pairs i) n) ->
      within neighbours (cost * differences (differ i) W) (before ++ map snd W) (before ++ map fst W)).
    { clear W. intros k. induction k as [|k IH]; intros W before HW; simpl in HW.
      - destruct HW as [<-|[]]. unfold differences. simpl. rewrite Nat.mul_0_r. reflexivity.
      - apply in_flat_map in HW. destruct HW as (w & Hw & HW). apply in_map_iff in HW.
        destruct HW as (V & <- & HV).
        specialize (IH V (before ++ [fst w]) HV). rewrite <- !app_assoc in IH. simpl in IH.
        unfold differences in *. simpl. destruct (differ i w) eqn:E.
        + replace (cost * (1 + list_sum (map (fun w => if differ i w then 1 else 0) V)))%nat
            with (cost + cost * list_sum (map (fun w => if differ i w then 1 else 0) V))%nat by lia.
          apply within_trans with (before ++ fst w :: map snd V); [|exact IH].
          now apply (one_change i).
        + rewrite <- (same i w Hi Hw E). exact IH. }
    intros HW. apply (G n W [] HW).
  Qed.

  Lemma probability_bounds S event : 0 <= probability outcomes (m S) event <= 1.
  Proof.
    destruct (laws S) as [H0 H1]. unfold probability. split.
    - apply sum_nonneg. intros o _. destruct (event o); [apply H0|lra].
    - eapply Rle_trans; [|now apply (H1 outcomes)]. apply sum_le. intros o _.
      specialize (H0 o). destruct (event o); lra.
  Qed.

  (** The base answers in the alternative's good set with probability [phi], but for delta. *)
  Lemma kept_on_average i edge : In i alternatives ->
    phi n p (INR cost * epsilon) beta edge - lost epsilon delta
    <= answers base_examples base_law (good i).
  Proof.
    intros Hi. set (rate := INR cost * epsilon).
    assert (Hrate : 0 <= rate) by (apply Rmult_le_pos; [apply pos_INR|lra]).
    set (tau := exp (- (rate * INR edge))). assert (Htau : 0 < tau) by apply exp_pos.
    set (f := fun k => Rmin (exp (- (rate * INR k))) tau).
    assert (Hlost : 0 <= lost epsilon delta).
    { unfold lost. apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat.
      assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra. }
    set (P := fun W : list (Z * Z) => probability outcomes (m (map snd W)) (good i)).
    assert (One : forall W, In W (samples (pairs i) n) ->
      (f (differences (differ i) W) + tau * P W) + (- tau - lost epsilon delta)
      <= probability outcomes (m (map fst W)) (good i)).
    { intros W HW. set (k := differences (differ i) W).
      pose proof (kept_probability neighbours m outcomes epsilon delta (1 - P W) distinct
        epsilon_positive delta_not_negative private [tt] (fun _ => map snd W) (fun _ => good i)
        (map fst W) (cost * k)%nat) as K.
      assert (HP := probability_bounds (map snd W) (good i)). fold (P W) in HP.
      assert (K' : P W * exp (- (INR (cost * k) * epsilon)) - lost epsilon delta
                   <= probability outcomes (m (map fst W)) (good i)).
      { replace (P W) with (1 - (1 - P W)) at 1 by ring. refine (K _ _ tt _ _).
        - intros _ _. exists (cost * k)%nat. split; [lia|]. now apply coupled_within.
        - intros _ _. unfold P. lra.
        - now left.
        - lra. }
      replace (INR (cost * k) * epsilon) with (rate * INR k) in K'
        by (rewrite mult_INR; unfold rate; ring).
      set (w := exp (- (rate * INR k))) in *.
      assert (Hf : f k + tau * P W - tau <= P W * w).
      { unfold f. fold w. apply Rmin_case_strong; intros Hc.
        - assert (0 <= (tau - w) * (1 - P W)) by (apply Rmult_le_pos; lra). lra.
        - assert (0 <= (w - tau) * P W) by (apply Rmult_le_pos; lra). lra. }
      fold k. lra. }
    unfold answers. rewrite <- (marginal (pairs i) (coupling i) fst base_examples base_law n
      (fun S => probability outcomes (m S) (good i)) (base_side i Hi)).
    eapply Rle_trans; [|apply (sample_mean_le _ _ (lawful i Hi) n _ _ One)].
    replace (sample_mean (pairs i) (coupling i) n (fun W =>
        f (differences (differ i) W) + tau * P W + (- tau - lost epsilon delta)))
      with (sample_mean (pairs i) (coupling i) n (fun W => f (differences (differ i) W))
            + (tau * sample_mean (pairs i) (coupling i) n P + (- tau - lost epsilon delta))).
    - assert (B : binomial_mean n p f <= sample_mean (pairs i) (coupling i) n
                    (fun W => f (differences (differ i) W))).
      { apply differences_binomial; [now apply lawful|split; [now apply rarely|assumption]|].
        intros k. unfold f. apply Rle_min_compat_r.
        assert (- (rate * INR (S k)) <= - (rate * INR k)).
        { apply Ropp_le_contravar, Rmult_le_compat_l; [assumption|]. rewrite S_INR. lra. }
        destruct H as [H|H]; [left; now apply exp_increasing|right; now rewrite H]. }
      assert (A : 1 - beta <= sample_mean (pairs i) (coupling i) n P).
      { specialize (accurate i Hi). unfold answers in accurate.
        rewrite <- (marginal (pairs i) (coupling i) snd (examples i) (law_of i) n
          (fun S => probability outcomes (m S) (good i)) (other_side i Hi)) in accurate. exact accurate. }
      assert (tau * (1 - beta) <= tau * sample_mean (pairs i) (coupling i) n P)
        by (apply Rmult_le_compat_l; lra).
      unfold phi. fold rate. fold tau. fold f. lra.
    - rewrite <- (sample_mean_affine (pairs i) (coupling i) (lawful i Hi) n tau).
      unfold sample_mean. rewrite <- sum_plus. apply sum_ext. intros W _. ring.
  Qed.

  Lemma count_positive : 0 < INR (length alternatives).
  Proof. apply lt_0_INR. destruct alternatives; [congruence|simpl; lia]. Qed.

  Lemma base_mass : sum (samples base_examples n) (sample_mass base_law) = 1.
  Proof.
    destruct base_lawful as (_ & _ & _ & H1).
    pose proof (sample_product base_examples base_law (fun _ => 1) n) as P.
    rewrite (sum_ext base_examples _ base_law), H1, pow1 in P by (intros; ring).
    rewrite <- P. apply sum_ext. intros W _. replace (product (fun _ => 1) W) with 1; [ring|].
    unfold product. induction W; simpl; lra.
  Qed.

  (** Sums over alternatives of probabilities on the base, answer by answer. *)
  Lemma answers_total (weight : O -> R) bound :
    (forall o, In o outcomes -> weight o + sum alternatives (fun i => one (good i o)) <= bound) ->
    0 <= bound ->
    sum (samples base_examples n) (fun S => sample_mass base_law S *
      sum outcomes (fun o => m S o * weight o))
    + sum alternatives (fun i => answers base_examples base_law (good i)) <= bound.
  Proof.
    intros Hb H0. destruct base_lawful as (_ & Hp & _). unfold answers.
    rewrite sum_swap, <- sum_plus.
    apply Rle_trans with (sum (samples base_examples n) (fun S => bound * sample_mass base_law S));
      [|rewrite sum_scal, base_mass; lra].
    apply sum_le. intros S _. rewrite sum_scal, <- Rmult_plus_distr_l, Rmult_comm.
    apply Rmult_le_compat_r; [now apply sample_mass_nonneg|]. unfold probability.
    rewrite sum_swap, <- sum_plus. destruct (laws S) as [M0 M1].
    apply Rle_trans with (sum outcomes (fun o => bound * m S o)).
    - apply sum_le. intros o Ho. specialize (Hb o Ho). specialize (M0 o).
      rewrite (sum_ext alternatives _ (fun i => m S o * one (good i o)))
        by (intros i _; unfold one; destruct (good i o); ring).
      rewrite sum_scal, <- Rmult_plus_distr_l, Rmult_comm. now apply Rmult_le_compat_r.
    - rewrite sum_scal. rewrite <- (Rmult_1_r bound) at 2. apply Rmult_le_compat_l; [assumption|].
      now apply M1.
  Qed.

  (** tacit.bounds.lower.packing.spread_out: an answer is good for a share [room]. *)
  (* code: tacit.bounds.lower.packing.spread_out
     NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
     forall S, sublaw (m S) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     alternatives <> [] <- requires there is at least one alternative
     finite_law base_examples base_law <- requires every distribution has finitely many values
     forall i, In i alternatives -> finite_law (pairs i) (coupling i) <- requires every distribution has finitely many values
     forall i, In i alternatives -> forall g, sum (pairs i) (fun w => coupling i w * g (fst w)) = sum base_examples (fun z => base_law z * g z) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> forall g, sum (pairs i) (fun w => coupling i w * g (snd w)) = sum (examples i) (fun z => law_of i z * g z) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> chance (pairs i) (coupling i) (differ i) <= p <- requires the samples of an alternative and of the base are so many steps apart as is said
     p <= 1 <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1
     forall i w, In i alternatives -> In w (pairs i) -> differ i w = false -> fst w = snd w <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i w, In i alternatives -> In w (pairs i) -> differ i w = true -> forall before after, within neighbours cost (before ++ snd w :: after) (before ++ fst w :: after) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> 1 - beta <= answers (examples i) (law_of i) (good i) <- requires answers well, with probability `1 - beta`, for every distribution of a family
     (forall o, In o outcomes -> sum alternatives (fun i => one (good i o)) <= room * INR (length alternatives)) <- requires `G_i` are the good answers for distribution `i`
     0 <= room <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1 *)
  Theorem spread_out room edge :
    (forall o, In o outcomes ->
       sum alternatives (fun i => one (good i o)) <= room * INR (length alternatives)) ->
    0 <= room ->
    phi n p (INR cost * epsilon) beta edge <= room + lost epsilon delta.
  Proof.
    intros Hroom Hr. pose proof count_positive as HN.
    pose proof (answers_total (fun _ => 0) (room * INR (length alternatives))) as T.
    rewrite (sum_zero (samples base_examples n)) in T
      by (intros S _; rewrite (sum_zero outcomes); [ring|intros; ring]).
    assert (K : sum alternatives (fun _ => phi n p (INR cost * epsilon) beta edge - lost epsilon delta)
                <= sum alternatives (fun i => answers base_examples base_law (good i)))
      by (apply sum_le; intros i Hi; now apply kept_on_average).
    rewrite sum_const in K. apply Rmult_le_reg_l with (INR (length alternatives)); [assumption|].
    assert (0 <= room * INR (length alternatives)) by (apply Rmult_le_pos; lra).
    assert (0 + sum alternatives (fun i => answers base_examples base_law (good i))
            <= room * INR (length alternatives)).
    { apply T; [|assumption]. intros o Ho. rewrite Rplus_0_l. now apply Hroom. }
    lra.
  Qed.

  (** tacit.bounds.lower.packing.packed: good sets disjoint, also from the base's own. *)
  (* code: tacit.bounds.lower.packing.packed
     NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
     forall S, sublaw (m S) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     alternatives <> [] <- requires there is at least one alternative
     finite_law base_examples base_law <- requires every distribution has finitely many values
     forall i, In i alternatives -> finite_law (pairs i) (coupling i) <- requires every distribution has finitely many values
     forall i, In i alternatives -> forall g, sum (pairs i) (fun w => coupling i w * g (fst w)) = sum base_examples (fun z => base_law z * g z) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> forall g, sum (pairs i) (fun w => coupling i w * g (snd w)) = sum (examples i) (fun z => law_of i z * g z) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> chance (pairs i) (coupling i) (differ i) <= p <- requires the samples of an alternative and of the base are so many steps apart as is said
     p <= 1 <- requires `beta`, `room` and `p` are above 0 and at most 1, `beta` below 1
     forall i w, In i alternatives -> In w (pairs i) -> differ i w = false -> fst w = snd w <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i w, In i alternatives -> In w (pairs i) -> differ i w = true -> forall before after, within neighbours cost (before ++ snd w :: after) (before ++ fst w :: after) <- requires the samples of an alternative and of the base are so many steps apart as is said
     forall i, In i alternatives -> 1 - beta <= answers (examples i) (law_of i) (good i) <- requires answers well, with probability `1 - beta`, for every distribution of a family
     (forall o, In o outcomes -> one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) <- requires `G_i` are the good answers for distribution `i`
     1 - beta <= answers base_examples base_law base_good <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem packed (base_good : O -> bool) edge :
    (forall o, In o outcomes ->
       one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) ->
    1 - beta <= answers base_examples base_law base_good ->
    phi n p (INR cost * epsilon) beta edge
    <= beta / INR (length alternatives) + lost epsilon delta.
  Proof.
    intros Hdis Hbase. pose proof count_positive as HN.
    pose proof (answers_total (fun o => one (base_good o)) 1 Hdis Rle_0_1) as T.
    assert (E : sum (samples base_examples n) (fun S => sample_mass base_law S *
        sum outcomes (fun o => m S o * one (base_good o))) = answers base_examples base_law base_good).
    { unfold answers, probability. apply sum_ext. intros S _. f_equal. apply sum_ext. intros o _.
      unfold one. destruct (base_good o); ring. }
    assert (T' : answers base_examples base_law base_good
      + sum alternatives (fun i => answers base_examples base_law (good i)) <= 1)
      by (rewrite <- E; exact T).
    clear T E.
    assert (K : sum alternatives (fun _ => phi n p (INR cost * epsilon) beta edge - lost epsilon delta)
                <= sum alternatives (fun i => answers base_examples base_law (good i)))
      by (apply sum_le; intros i Hi; now apply kept_on_average).
    rewrite sum_const in K. apply Rmult_le_reg_l with (INR (length alternatives)); [assumption|].
    rewrite Rmult_plus_distr_l.
    replace (INR (length alternatives) * (beta / INR (length alternatives))) with beta by (field; lra).
    lra.
  Qed.
End Bound.
