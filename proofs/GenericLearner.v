(** Selection from a finite class by its number of mistakes (tacit.bounds.upper.selection,
    tacit.problems.finite.finite_class): private and accurate in one statement.

    Theorem 3.2 of Beimel, Brenner, Kasiviswanathan and Nissim with the constants of the
    code. The number of records is the code's own formula, not one derived from it. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Selection Composition Formulas MasterBound.
Import ListNotations.
Open Scope R_scope.

(** ** Selection by the number of mistakes *)
Section Selecting.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.
  Variable rules : list H.
  Variable examples : list (X * bool).
  Variable p : X * bool -> R.
  Hypothesis lawful : finite_law examples p.

  Let score := mistake_score predict.
  Let true_error h := error examples p (predict h).

  (** Theorem 1 of selection.proof.md. *)
  (* code: tacit.bounds.upper.selection.realizable
     finite_law examples p <- requires The records are independent with any one distribution
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     In h0 rules <- requires `h0`, a rule of `H`, is fixed before the records are drawn
     0 < rate <- object tacit.bounds.upper.selection._realizable: full = epsilon / spread(relation)
     0 <= rho < alpha <- refuses not 0 <= rho < alpha in tacit.bounds.upper.selection._realizable
     alpha <= 1 <- check probability(alpha)
     true_error h0 <= rho <- requires in Theorem 1 its error is at most `rho` *)
  Theorem selection_realizable rate alpha rho h0 n :
    NoDup rules -> In h0 rules -> 0 < rate -> 0 <= rho < alpha -> alpha <= 1 ->
    true_error h0 <= rho ->
    released_wrong predict rules examples p alpha (exponential eq_dec rules score rate) n
    <= (INR (length rules) - 1) * (1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)) ^ n.
  Proof.
    intros Hd Hin Hr [Hrho Ha] Ha1 H0.
    assert (Hup : 1 < exp rate) by (rewrite <- exp_0; now apply exp_increasing).
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    assert (HF : 0 <= 1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)).
    { assert (0 <= rho * (exp rate - 1)) by (apply Rmult_le_pos; lra).
      assert (alpha * (1 - exp (- rate)) <= 1 * (1 - exp (- rate))) by (apply Rmult_le_compat_r; lra).
      pose proof (exp_pos (- rate)). lra. }
    eapply Rle_trans; [apply (master_bound predict rules examples p lawful rate alpha
      (1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)) h0 n _ (fun _ => 1))|].
    - intros; lra.
    - intros S h _ _. rewrite Rmult_1_l. now apply against_comparator.
    - intros h _ Hh. now apply (realizable_factor predict examples p lawful).
    - apply Rmult_le_compat_r; [now apply pow_le|]. apply (wrong_rules predict rules examples p alpha h0); try assumption. fold (true_error h0). lra.
  Qed.

  (** Theorem 2 of selection.proof.md: [h0] is within [rho] of the best, [gain] above it. *)
  (* code: tacit.bounds.upper.selection.agnostic
     finite_law examples p <- requires The records are independent with any one distribution
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     In h0 rules <- requires `h0`, a rule of `H`, is fixed before the records are drawn
     0 < rate <- object tacit.bounds.upper.selection._agnostic: rate = best_rate(full=epsilon / spread(relation), odds=odds)
     0 <= gain <= 1 <- object tacit.bounds.upper.selection._agnostic: gain = alpha - rho *)
  Theorem selection_agnostic rate gain h0 n :
    NoDup rules -> In h0 rules -> 0 < rate -> 0 <= gain <= 1 ->
    released_wrong predict rules examples p (true_error h0 + gain) (exponential eq_dec rules score rate) n
    <= (INR (length rules) - 1) *
       ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) ^ n.
  Proof.
    intros Hd Hin Hr Hg.
    assert (HF : 0 <= (1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate).
    { apply Rplus_le_le_0_compat; apply Rmult_le_pos; try apply exp_ge_0; lra. }
    eapply Rle_trans; [apply (master_bound predict rules examples p lawful rate _
      ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) h0 n _ (fun _ => 1))|].
    - intros; lra.
    - intros S h _ _. rewrite Rmult_1_l. now apply against_comparator.
    - intros h _ Hh. now apply (agnostic_factor predict examples p lawful).
    - apply Rmult_le_compat_r; [now apply pow_le|]. apply (wrong_rules predict rules examples p _ h0); try assumption. fold (true_error h0). lra.
  Qed.
End Selecting.

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
     0 < rate <- object tacit.bounds.upper.selection._realizable: full = epsilon / spread(relation)
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
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
    split; [apply exponential_mistakes_replace_one; lra|].
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
     0 < alpha <= 1 <- check probability(alpha) in tacit.bounds.upper.selection.realizable
     0 < beta <- check probability(beta) in tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
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
    - apply exponential_bounded_range; try lra. apply mistakes_spread_replace_one.
    - apply exponential_mistakes_replace_one. lra.
    - apply generic_learner_accurate; try assumption. unfold rate. lra.
  Qed.

  (* code: tacit.problems.finite.finite_class.FiniteClassLearner
     0 < epsilon <- requires $\varepsilon > 0$
     0 < alpha <= 1 <- check probability(alpha) in tacit.bounds.upper.selection.realizable
     0 < beta <- check probability(beta) in tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem generic_learner_label alpha beta epsilon n :
    0 < epsilon -> 0 < alpha <= 1 -> 0 < beta -> NoDup rules -> rules <> [] ->
    let rate := epsilon / 2 in
    ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    (forall S, finite_law rules (generic_learner rate S)) /\
    bounded_range label epsilon (generic_learner rate) /\
    pure label epsilon (generic_learner rate) /\
    pac alpha beta n rules predict (generic_learner rate).
  Proof.
    intros He Ha Hb Hd Hne rate Hn. split; [|split; [|split]].
    - intros S. now apply exponential_law.
    - apply exponential_bounded_range; try lra. apply mistakes_spread_label.
    - apply exponential_mistakes_label. lra.
    - apply generic_learner_accurate; try assumption. unfold rate. lra.
  Qed.

  (* code: tacit.problems.finite.finite_class.FiniteClassLearner
     0 < epsilon <- requires $\varepsilon > 0$
     0 < alpha <= 1 <- check probability(alpha) in tacit.bounds.upper.selection.realizable
     0 < beta <- check probability(beta) in tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem generic_learner_add_remove alpha beta epsilon n :
    0 < epsilon -> 0 < alpha <= 1 -> 0 < beta -> NoDup rules -> rules <> [] ->
    let rate := epsilon / 1 in
    ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    (forall S, finite_law rules (generic_learner rate S)) /\
    bounded_range add_remove epsilon (generic_learner rate) /\
    pure add_remove epsilon (generic_learner rate) /\
    pac alpha beta n rules predict (generic_learner rate).
  Proof.
    intros He Ha Hb Hd Hne rate Hn. split; [|split; [|split]].
    - intros S. now apply exponential_law.
    - apply exponential_bounded_range; try lra. apply mistakes_spread_add_remove.
    - apply exponential_mistakes_add_remove. lra.
    - apply generic_learner_accurate; try assumption. unfold rate. lra.
  Qed.
End Learner.
