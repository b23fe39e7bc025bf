(** Selection from a finite class by its number of mistakes (tacit.bounds.upper.selection,
    tacit.problems.finite.finite_class): private and accurate in one statement.

    Theorem 3.2 of Beimel, Brenner, Kasiviswanathan and Nissim with the constants of the
    code. The number of records is the code's own formula, not one derived from it. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Selection Composition Formulas.
Import ListNotations.
Open Scope R_scope.

(** ** Independent records: expectations of products are powers *)

Definition product {Z : Type} (f : Z -> R) (S : list Z) : R :=
  fold_right (fun z x => f z * x) 1 S.

Lemma sample_product {Z} (examples : list Z) (p f : Z -> R) (n : nat) :
  sum (samples examples n) (fun S => sample_mass p S * product f S)
  = sum examples (fun z => p z * f z) ^ n.
Proof.
  induction n as [|n IH]; [simpl; lra|]. simpl samples. rewrite sum_flat_map. simpl pow.
  rewrite <- IH, <- sum_scal_r. apply sum_ext. intros z _. rewrite sum_map, <- sum_scal.
  apply sum_ext. intros S _. simpl. unfold product. simpl. ring.
Qed.

Lemma sample_mass_nonneg {Z} (p : Z -> R) : (forall z, 0 <= p z) -> forall S, 0 <= sample_mass p S.
Proof.
  intros H. induction S as [|z S IH]; simpl; [lra|]. apply Rmult_le_pos; auto.
Qed.

(** ** One step: a rule against a comparator *)
Section OneStep.
  Context {D C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable candidates : list C.
  Variable err : D -> C -> R.

  (** The total is at least the weight of the comparator. *)
  Lemma against_comparator rate S h h0 : In h0 candidates ->
    exponential eq_dec candidates err rate S h <= exp (- rate * (err S h - err S h0)).
  Proof.
    intros H0. unfold exponential. destruct (in_dec _ _ _) as [Hin|]; [|apply exp_ge_0].
    assert (Hw : 0 < weight err rate S h0) by apply exp_pos.
    assert (Ht : weight err rate S h0 <= total candidates err rate S).
    { unfold total. apply (sum_term candidates (weight err rate S)); [assumption|].
      intros x _. unfold weight. apply exp_ge_0. }
    replace (- rate * (err S h - err S h0))
      with (- rate * err S h + - (- rate * err S h0)) by ring.
    rewrite exp_plus, exp_Ropp. fold (weight err rate S h) (weight err rate S h0).
    unfold Rdiv. apply Rmult_le_compat_l; [unfold weight; apply exp_ge_0|].
    now apply Rinv_le_contravar.
  Qed.
End OneStep.

(** ** The master bound *)
Section Master.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.
  Variable rules : list H.
  Variable examples : list (X * bool).
  Variable p : X * bool -> R.
  Hypothesis lawful : finite_law examples p.

  Let score := mistake_score predict.
  Let true_error h := error examples p (predict h).

  (** What one record multiplies the odds of [h] against [h0] by. *)
  Definition one_record (rate : R) (h h0 : H) (z : X * bool) : R :=
    exp (- rate * (INR (wrong (predict h) z) - INR (wrong (predict h0) z))).

  Lemma odds_product rate h h0 S :
    exp (- rate * (score S h - score S h0)) = product (one_record rate h h0) S.
  Proof.
    unfold score, mistake_score, mistakes. induction S as [|z S IH]; unfold product in *; simpl.
    - rewrite Rminus_eq_0, Rmult_0_r. apply exp_0.
    - rewrite <- IH. unfold one_record. rewrite <- exp_plus, !plus_INR. f_equal. ring.
  Qed.

  Definition released_wrong (alpha : R) (m : mechanism (list (X * bool)) H) (n : nat) : R :=
    sum (samples examples n) (fun S => sample_mass p S *
      sum rules (fun h => if Rlt_dec alpha (true_error h) then m S h else 0)).

  (** If the odds of a rule against [h0] are those of the weights (times a constant), and every
      rule of error above [alpha] has factor at most [F], then the released rule is one of them
      with probability at most [F ^ n] for each. *)
  Theorem master_bound rate alpha F h0 n (m : mechanism (list (X * bool)) H) (odds : H -> R) :
    (forall h, 0 <= odds h) ->
    (forall S h, In h rules -> 0 < sample_mass p S ->
       m S h <= odds h * exp (- rate * (score S h - score S h0))) ->
    (forall h, In h rules -> alpha < true_error h ->
       sum examples (fun z => p z * one_record rate h h0 z) <= F) ->
    released_wrong alpha m n
    <= sum rules (fun h => if Rlt_dec alpha (true_error h) then odds h else 0) * F ^ n.
  Proof.
    intros Hodds Hscore Hfactor. destruct lawful as (_ & Hp & _).
    unfold released_wrong.
    apply Rle_trans with (sum (samples examples n) (fun S => sum rules (fun h =>
        (if Rlt_dec alpha (true_error h) then odds h else 0) *
        (sample_mass p S * product (one_record rate h h0) S)))).
    - apply sum_le. intros S _. rewrite <- sum_scal. apply sum_le. intros h Hh.
      destruct (Rlt_dec _ _) as [_|_]; [|lra].
      replace (odds h * (sample_mass p S * product (one_record rate h h0) S))
        with (sample_mass p S * (odds h * product (one_record rate h h0) S)) by ring.
      destruct (sample_mass_nonneg p Hp S) as [M|<-]; [|lra].
      apply Rmult_le_compat_l; [lra|]. rewrite <- odds_product. now apply Hscore.
    - rewrite sum_swap, <- sum_scal_r. apply sum_le. intros h Hh.
      rewrite sum_scal, sample_product. destruct (Rlt_dec _ _) as [L|L]; [|lra].
      apply Rmult_le_compat_l; [apply Hodds|]. apply pow_incr. split; [|now apply Hfactor].
      apply sum_nonneg. intros z _. apply Rmult_le_pos; [apply Hp|]. apply exp_ge_0.
  Qed.

  Lemma expectation_affine a b c h h0 :
    sum examples (fun z => p z * (a - b * INR (wrong (predict h) z) + c * INR (wrong (predict h0) z)))
    = a - b * true_error h + c * true_error h0.
  Proof.
    destruct lawful as (_ & _ & _ & H1). unfold true_error, error.
    rewrite (sum_ext examples _ (fun z => a * p z - b * (p z * INR (wrong (predict h) z))
      + c * (p z * INR (wrong (predict h0) z)))) by (intros; ring).
    rewrite sum_plus, sum_minus, !sum_scal, H1. ring.
  Qed.

  Lemma wrong_cases h z : INR (wrong (predict h) z) = 0 \/ INR (wrong (predict h) z) = 1.
  Proof. unfold wrong. destruct (Bool.eqb _ _); simpl; auto. Qed.

  Lemma cosh_at_least_1 rate : 2 <= exp rate + exp (- rate).
  Proof.
    rewrite exp_Ropp. assert (Hx := exp_pos rate). set (x := exp rate) in *.
    assert (0 <= (x - 1) * (x - 1) * / x).
    { apply Rmult_le_pos; [apply Rle_0_sqr|]. left. now apply Rinv_0_lt_compat. }
    replace ((x - 1) * (x - 1) * / x) with (x + / x - 2) in * by (field; lra). lra.
  Qed.

  (** Realizable: tacit.bounds.upper.selection.realizable_factor. *)
  Lemma realizable_factor rate alpha rho h h0 : 0 < rate ->
    alpha < true_error h -> true_error h0 <= rho ->
    sum examples (fun z => p z * one_record rate h h0 z)
    <= 1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1).
  Proof.
    intros Hr Hh Hh0. pose proof (cosh_at_least_1 rate) as Hc.
    assert (Hup : 1 < exp rate) by (rewrite <- exp_0; now apply exp_increasing).
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    apply Rle_trans with (1 - (1 - exp (- rate)) * true_error h + (exp rate - 1) * true_error h0).
    - rewrite <- (expectation_affine 1). apply sum_le. intros z _. destruct lawful as (_ & Hp & _).
      apply Rmult_le_compat_l; [apply Hp|]. unfold one_record.
      destruct (wrong_cases h z) as [-> | ->], (wrong_cases h0 z) as [-> | ->].
      + rewrite Rminus_0_r, Rmult_0_r, exp_0. lra.
      + replace (- rate * (0 - 1)) with rate by ring. lra.
      + replace (- rate * (1 - 0)) with (- rate) by ring. lra.
      + rewrite Rminus_eq_0, Rmult_0_r, exp_0. lra.
    - assert ((1 - exp (- rate)) * alpha <= (1 - exp (- rate)) * true_error h)
        by (apply Rmult_le_compat_l; lra).
      assert ((exp rate - 1) * true_error h0 <= (exp rate - 1) * rho)
        by (apply Rmult_le_compat_l; lra). lra.
  Qed.

  (** Agnostic: tacit.bounds.upper.selection.agnostic_factor. *)
  Lemma agnostic_factor rate gain h h0 : 0 < rate ->
    true_error h0 + gain < true_error h ->
    sum examples (fun z => p z * one_record rate h h0 z)
    <= (1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate.
  Proof.
    intros Hr Hh. pose proof (cosh_at_least_1 rate) as Hc.
    assert (Hs : 0 < exp rate - exp (- rate)).
    { assert (exp (- rate) < exp rate) by (apply exp_increasing; lra). lra. }
    set (b := (exp rate - exp (- rate)) / 2).
    apply Rle_trans with ((exp rate + exp (- rate)) / 2 - b * true_error h + b * true_error h0).
    - rewrite <- (expectation_affine _ b b). apply sum_le. intros z _. destruct lawful as (_ & Hp & _).
      apply Rmult_le_compat_l; [apply Hp|]. unfold one_record, b.
      destruct (wrong_cases h z) as [-> | ->], (wrong_cases h0 z) as [-> | ->].
      + rewrite Rminus_0_r, Rmult_0_r, exp_0. lra.
      + replace (- rate * (0 - 1)) with rate by ring. lra.
      + replace (- rate * (1 - 0)) with (- rate) by ring. lra.
      + rewrite Rminus_eq_0, Rmult_0_r, exp_0. lra.
    - assert (b * gain <= b * (true_error h - true_error h0)) by (apply Rmult_le_compat_l; unfold b; lra).
      unfold b in *. lra.
  Qed.

  (** The comparator is not among the wrong rules. *)
  Lemma wrong_rules alpha h0 : NoDup rules -> In h0 rules -> true_error h0 <= alpha ->
    sum rules (fun h => if Rlt_dec alpha (true_error h) then 1 else 0) <= INR (length rules) - 1.
  Proof.
    intros Hd Hin H0. apply in_split in Hin. destruct Hin as (l & l' & ->).
    rewrite sum_app, sum_cons. destruct (Rlt_dec alpha (true_error h0)) as [L|_]; [lra|].
    assert (C : forall k, sum k (fun h => if Rlt_dec alpha (true_error h) then 1 else 0) <= INR (length k)).
    { intros k. rewrite <- (Rmult_1_r (INR (length k))), <- sum_const. apply sum_le.
      intros h _. destruct (Rlt_dec _ _); lra. }
    pose proof (C l). pose proof (C l'). rewrite app_length. simpl length.
    rewrite Nat.add_succ_r, S_INR, plus_INR. lra.
  Qed.

  (** Theorem 1 of selection.proof.md. *)
  (* code: tacit.bounds.upper.selection.realizable
     finite_law examples p <- requires The records are independent with any one distribution
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     In h0 rules <- requires `h0`, a rule of `H`, is fixed before the records are drawn
     0 < rate <- object tacit.bounds.upper.selection.best_rate
     0 <= rho < alpha <- check probability(alpha)
     alpha <= 1 <- check probability(alpha)
     true_error h0 <= rho <- requires in Theorem 1 its error is at most `rho` *)
  Theorem selection_realizable rate alpha rho h0 n :
    NoDup rules -> In h0 rules -> 0 < rate -> 0 <= rho < alpha -> alpha <= 1 ->
    true_error h0 <= rho ->
    released_wrong alpha (exponential eq_dec rules score rate) n
    <= (INR (length rules) - 1) * (1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)) ^ n.
  Proof.
    intros Hd Hin Hr [Hrho Ha] Ha1 H0.
    assert (Hup : 1 < exp rate) by (rewrite <- exp_0; now apply exp_increasing).
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    assert (HF : 0 <= 1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)).
    { assert (0 <= rho * (exp rate - 1)) by (apply Rmult_le_pos; lra).
      assert (alpha * (1 - exp (- rate)) <= 1 * (1 - exp (- rate))) by (apply Rmult_le_compat_r; lra).
      pose proof (exp_pos (- rate)). lra. }
    eapply Rle_trans; [apply (master_bound rate alpha
      (1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)) h0 n _ (fun _ => 1))|].
    - intros; lra.
    - intros S h _ _. rewrite Rmult_1_l. now apply against_comparator.
    - intros h _ Hh. now apply realizable_factor.
    - apply Rmult_le_compat_r; [now apply pow_le|]. apply (wrong_rules alpha h0); try assumption. lra.
  Qed.

  (** Theorem 2 of selection.proof.md: [h0] is within [rho] of the best, [gain] above it. *)
  (* code: tacit.bounds.upper.selection.agnostic
     finite_law examples p <- requires The records are independent with any one distribution
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     In h0 rules <- requires `h0`, a rule of `H`, is fixed before the records are drawn
     0 < rate <- object tacit.bounds.upper.selection.best_rate
     0 <= gain <= 1 <- check probability(alpha) *)
  Theorem selection_agnostic rate gain h0 n :
    NoDup rules -> In h0 rules -> 0 < rate -> 0 <= gain <= 1 ->
    released_wrong (true_error h0 + gain) (exponential eq_dec rules score rate) n
    <= (INR (length rules) - 1) *
       ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) ^ n.
  Proof.
    intros Hd Hin Hr Hg.
    assert (HF : 0 <= (1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate).
    { apply Rplus_le_le_0_compat; apply Rmult_le_pos; try apply exp_ge_0; lra. }
    eapply Rle_trans; [apply (master_bound rate _
      ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) h0 n _ (fun _ => 1))|].
    - intros; lra.
    - intros S h _ _. rewrite Rmult_1_l. now apply against_comparator.
    - intros h _ Hh. now apply agnostic_factor.
    - apply Rmult_le_compat_r; [now apply pow_le|]. apply (wrong_rules _ h0); try assumption. lra.
  Qed.
End Master.

(** ** The number of records *)

(** tacit.bounds.upper.selection.union_records: [wrong * shrink ^ n <= beta]. *)
Lemma union_records (wrong beta shrink : R) (n : nat) :
  0 <= wrong -> 0 < beta -> 0 < shrink < 1 ->
  ln (wrong / beta) / - ln shrink <= INR n -> wrong * shrink ^ n <= beta.
Proof.
  intros Hw Hb [Hs0 Hs1] Hn. destruct Hw as [Hw| <-]; [|lra].
  assert (Hl : ln shrink < 0) by (rewrite <- ln_1; now apply ln_increasing).
  assert (Hp : 0 < shrink ^ n) by now apply pow_lt.
  assert (H : ln (wrong / beta) <= - (INR n * ln shrink)).
  { apply Rmult_le_compat_r with (r := - ln shrink) in Hn; [|lra].
    unfold Rdiv at 1 in Hn. rewrite Rmult_assoc, Rinv_l in Hn by lra. lra. }
  assert (E : exp (ln (wrong / beta)) <= exp (- (INR n * ln shrink))).
  { destruct H as [H|H]; [left; now apply exp_increasing|right; now rewrite H]. }
  rewrite exp_ln in E by (apply Rmult_lt_0_compat; [assumption|now apply Rinv_0_lt_compat]).
  rewrite exp_Ropp in E.
  replace (exp (INR n * ln shrink)) with (shrink ^ n) in E
    by (rewrite <- (Rpower_pow n shrink) by assumption; reflexivity).
  apply Rmult_le_reg_r with (/ shrink ^ n); [now apply Rinv_0_lt_compat|].
  rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra.
  apply Rmult_le_compat_r with (r := beta) in E; [|lra].
  unfold Rdiv in E. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in E by lra. lra.
Qed.

(** ** Private and accurate *)
Section Learner.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.
  Variable rules : list H.

  (** tacit.problems.finite.finite_class.FiniteClassLearner with the exponential selector. *)
  Definition generic_learner (rate : R) : mechanism (list (X * bool)) H :=
    exponential eq_dec rules (mistake_score predict) rate.

  Lemma realizable_comparator examples p : realizable rules predict examples p ->
    exists c, In c rules /\ error examples p (predict c) = 0.
  Proof.
    intros ((_ & Hp & _) & c & Hc & Hz). exists c. split; [assumption|]. unfold error.
    apply sum_zero. intros z Hin. destruct (Hp z) as [Hpos|<-]; [|lra].
    unfold wrong. rewrite (Hz z Hin Hpos), Bool.eqb_reflx. simpl. lra.
  Qed.

  (** The accuracy of the code's sample size, at any rate. *)
  (* code: tacit.bounds.upper.selection.realizable
     0 < alpha <= 1 <- check probability(alpha)
     0 < beta <- check probability(beta)
     0 < rate <- object tacit.bounds.upper.selection.best_rate
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records *)
  Theorem generic_learner_accurate alpha beta rate n :
    0 < alpha <= 1 -> 0 < beta -> 0 < rate -> NoDup rules ->
    ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    pac alpha beta n rules predict (generic_learner rate).
  Proof.
    intros Ha Hb Hr Hd Hn examples p Hreal.
    destruct (realizable_comparator examples p Hreal) as (c & Hc & He0).
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    pose proof (exp_pos (- rate)) as Hpos.
    assert (Hs : 0 < alpha * (1 - exp (- rate))) by (apply Rmult_lt_0_compat; lra).
    assert (alpha * (1 - exp (- rate)) <= 1 * (1 - exp (- rate))) by (apply Rmult_le_compat_r; lra).
    eapply Rle_trans; [apply (selection_realizable predict eq_dec rules examples p (proj1 Hreal)
                                rate alpha 0 c n Hd Hc Hr)|]; try lra.
    rewrite Rmult_0_l, Rplus_0_r. apply union_records; try assumption; [|lra].
    assert (1 <= INR (length rules)); [|lra].
    replace 1 with (INR 1) by reflexivity. apply le_INR. destruct rules; [contradiction|simpl; lia].
  Qed.

  (** The same with the chance of failure itself, for a class of at most [size] rules. *)
  Theorem generic_learner_stated alpha beta epsilon size n :
    0 < epsilon -> 0 < alpha <= 1 -> NoDup rules -> rules <> [] ->
    INR (length rules) <= size ->
    realizable_failure size alpha 0 (epsilon / 2) n <= beta ->
    (forall S, finite_law rules (generic_learner (epsilon / 2) S)) /\
    pure replace_one epsilon (generic_learner (epsilon / 2)) /\
    pac alpha beta n rules predict (generic_learner (epsilon / 2)).
  Proof.
    intros He Ha Hd Hne Hsize Hn. split; [intros S; now apply exponential_law|].
    split; [now apply exponential_mistakes_replace_one|].
    intros examples p Hreal.
    destruct (realizable_comparator examples p Hreal) as (c & Hc & He0).
    pose proof (exp_pos (- (epsilon / 2))) as Hpos.
    assert (Hdown : exp (- (epsilon / 2)) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    eapply Rle_trans; [apply (selection_realizable predict eq_dec rules examples p (proj1 Hreal)
                                (epsilon / 2) alpha 0 c n Hd Hc)|]; try lra.
    eapply Rle_trans; [|exact Hn]. unfold realizable_failure. rewrite Rmult_0_l, Rplus_0_r.
    apply Rmult_le_compat_r; [|lra]. apply pow_le.
    assert (alpha * (1 - exp (- (epsilon / 2))) <= 1 * (1 - exp (- (epsilon / 2))))
      by (apply Rmult_le_compat_r; lra). lra.
  Qed.

  (** [spread] of the code is 2 under replace-one and label, 1 under add/remove. *)
  (* code: tacit.problems.finite.finite_class.FiniteClassLearner
     0 < epsilon <- requires $\varepsilon > 0$
     0 < alpha <= 1 <- object tacit.bounds.upper.selection.realizable
     0 < beta <- object tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.realizable *)
  Theorem generic_learner_replace_one alpha beta epsilon n :
    0 < epsilon -> 0 < alpha <= 1 -> 0 < beta -> NoDup rules -> rules <> [] ->
    let rate := epsilon / 2 in
    ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    (forall S, finite_law rules (generic_learner rate S)) /\
    bounded_range replace_one epsilon (generic_learner rate) /\
    pure replace_one epsilon (generic_learner rate) /\
    pac alpha beta n rules predict (generic_learner rate).
  Proof.
    intros He Ha Hb Hd Hne rate Hn. repeat split.
    - assumption.
    - intros o. now apply (exponential_law eq_dec rules (mistake_score predict) rate S Hd Hne).
    - now apply (exponential_law eq_dec rules (mistake_score predict) rate S Hd Hne).
    - now apply (exponential_law eq_dec rules (mistake_score predict) rate S Hd Hne).
    - apply exponential_bounded_range; try lra; [assumption|]. apply mistakes_spread_replace_one.
    - now apply exponential_mistakes_replace_one.
    - apply generic_learner_accurate; try assumption. unfold rate. lra.
  Qed.

  (* code: tacit.problems.finite.finite_class.FiniteClassLearner
     0 < epsilon <- requires $\varepsilon > 0$
     0 < alpha <= 1 <- object tacit.bounds.upper.selection.realizable
     0 < beta <- object tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.realizable *)
  Theorem generic_learner_label alpha beta epsilon n :
    0 < epsilon -> 0 < alpha <= 1 -> 0 < beta -> NoDup rules -> rules <> [] ->
    let rate := epsilon / 2 in
    ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    (forall S, finite_law rules (generic_learner rate S)) /\
    pure label epsilon (generic_learner rate) /\
    pac alpha beta n rules predict (generic_learner rate).
  Proof.
    intros He Ha Hb Hd Hne rate Hn. split; [|split].
    - intros S. now apply exponential_law.
    - now apply exponential_mistakes_label.
    - apply generic_learner_accurate; try assumption. unfold rate. lra.
  Qed.

  (* code: tacit.problems.finite.finite_class.FiniteClassLearner
     0 < epsilon <- requires $\varepsilon > 0$
     0 < alpha <= 1 <- object tacit.bounds.upper.selection.realizable
     0 < beta <- object tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.realizable *)
  Theorem generic_learner_add_remove alpha beta epsilon n :
    0 < epsilon -> 0 < alpha <= 1 -> 0 < beta -> NoDup rules -> rules <> [] ->
    let rate := epsilon / 1 in
    ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    (forall S, finite_law rules (generic_learner rate S)) /\
    pure add_remove epsilon (generic_learner rate) /\
    pac alpha beta n rules predict (generic_learner rate).
  Proof.
    intros He Ha Hb Hd Hne rate Hn. split; [|split].
    - intros S. now apply exponential_law.
    - now apply exponential_mistakes_add_remove.
    - apply generic_learner_accurate; try assumption. unfold rate. lra.
  Qed.
End Learner.
