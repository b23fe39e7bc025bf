(** A rule drawn by prior times [exp (- rate * mistakes)] against a fixed comparator
    (tacit.bounds.upper.occam.realizable_error, agnostic_excess), and the numbers of records
    of tacit.bounds.upper.selection where no rule is perfect. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Selection Composition Formulas MasterBound GenericLearner Occam.
Import ListNotations.
Open Scope R_scope.

Section Prior.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.
  Variable rules : list H.
  Variable prior : H -> R.
  Hypothesis prior_positive : forall h, In h rules -> 0 < prior h.

  (** The prior as a head start: [exp (- rate * score)] is [prior h * exp (- rate * mistakes)]. *)
  Definition prior_score (rate : R) (S : list (X * bool)) (h : H) : R :=
    mistake_score predict S h - ln (prior h) / rate.

  Definition prior_draw (rate : R) : mechanism (list (X * bool)) H :=
    exponential eq_dec rules (prior_score rate) rate.

  Lemma prior_weight rate S h : 0 < rate -> In h rules ->
    weight (prior_score rate) rate S h = prior h * exp (- rate * mistake_score predict S h).
  Proof.
    intros Hr Hh. unfold weight, prior_score.
    replace (- rate * (mistake_score predict S h - ln (prior h) / rate))
      with (ln (prior h) + - rate * mistake_score predict S h) by (field; lra).
    rewrite exp_plus, exp_ln by now apply prior_positive. reflexivity.
  Qed.

  (** A public prior costs no privacy. *)
  Theorem prior_draw_private epsilon :
    0 <= epsilon -> pure replace_one epsilon (prior_draw (epsilon / 2)).
  Proof.
    intros He. apply exponential_pure; try lra.
    intros S S' Hn. destruct (mistakes_spread_replace_one predict rules S S' Hn) as [a Ha].
    exists a. intros r Hr. specialize (Ha r Hr). unfold prior_score. lra.
  Qed.

  Variable examples : list (X * bool).
  Variable p : X * bool -> R.
  Hypothesis lawful : finite_law examples p.
  Hypothesis prior_total : sum rules prior <= 1.
  Variable h0 : H.
  Hypothesis comparator : In h0 rules.
  Let true_error h := error examples p (predict h).

  (** [(beta / W) ^ (1 / n)] with [W = 1 / prior h0]: tacit.bounds.upper.occam._shrink. *)
  Definition shrink (n : nat) (beta : R) : R := exp (- ln (1 / (prior h0 * beta)) / INR n).

  Lemma shrink_power n beta : (0 < n)%nat -> 0 < beta -> shrink n beta ^ n = prior h0 * beta.
  Proof.
    intros Hn Hb. assert (Hp := prior_positive h0 comparator).
    assert (0 < prior h0 * beta) by now apply Rmult_lt_0_compat.
    assert (HN : 0 < INR n) by now apply lt_0_INR.
    unfold shrink. rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp.
    replace (INR n * (- ln (1 / (prior h0 * beta)) / INR n)) with (- ln (1 / (prior h0 * beta)))
      by (field; lra).
    replace (1 / (prior h0 * beta)) with (/ (prior h0 * beta)) by (field; lra).
    rewrite ln_Rinv, Ropp_involutive by assumption. now apply exp_ln.
  Qed.

  Lemma prior_bound rate alpha n beta : (0 < n)%nat -> 0 < beta -> 0 < rate ->
    (forall h, In h rules -> alpha < true_error h ->
       sum examples (fun z => p z * one_record predict rate h h0 z) <= shrink n beta) ->
    released_wrong predict rules examples p alpha (prior_draw rate) n <= beta.
  Proof.
    intros Hn Hb Hr Hf. assert (Hp := prior_positive h0 comparator).
    set (odds := fun h => if in_dec eq_dec h rules then prior h / prior h0 else 0).
    eapply Rle_trans.
    - apply (master_bound predict rules examples p lawful rate alpha (shrink n beta) h0 n
               (prior_draw rate) odds).
      + intros h. unfold odds. destruct (in_dec _ _ _) as [Hin|]; [|lra].
        left. apply Rdiv_lt_0_compat; [now apply prior_positive|assumption].
      + intros S h Hh _.
        eapply Rle_trans; [exact (against_comparator eq_dec rules (prior_score rate) rate S h h0 comparator)|].
        right. unfold odds. destruct (in_dec _ _ _) as [_|]; [|contradiction].
        unfold prior_score. assert (Hq := prior_positive h Hh).
        replace (- rate * (mistake_score predict S h - ln (prior h) / rate -
                           (mistake_score predict S h0 - ln (prior h0) / rate)))
          with ((ln (prior h) + - ln (prior h0)) +
                - rate * (mistake_score predict S h - mistake_score predict S h0)) by (field; lra).
        rewrite !exp_plus, exp_Ropp, !exp_ln by assumption. reflexivity.
      + exact Hf.
    - rewrite shrink_power by assumption.
      apply Rle_trans with (1 / prior h0 * (prior h0 * beta)); [|right; field; lra].
      apply Rmult_le_compat_r; [left; now apply Rmult_lt_0_compat|].
      apply Rle_trans with (sum rules (fun h => prior h * / prior h0)).
      + apply sum_le. intros h Hh. assert (Hq := prior_positive h Hh).
        assert (0 < prior h * / prior h0)
          by (apply Rmult_lt_0_compat; [assumption|now apply Rinv_0_lt_compat]).
        unfold odds. destruct (Rlt_dec _ _); [|lra]. destruct (in_dec _ _ _); [|contradiction].
        unfold Rdiv. lra.
      + rewrite sum_scal_r. unfold Rdiv. apply Rmult_le_compat_r; [|assumption].
        left. now apply Rinv_0_lt_compat.
  Qed.

  (** Theorem 2 of occam.proof.md, realizable: tacit.bounds.upper.occam.realizable_error. *)
  (* code: tacit.bounds.upper.occam.realizable_error
     forall h, In h rules -> 0 < prior h <- check positive(prior) for prior h
     finite_law examples p <- requires `n` independent records from any distribution
     sum rules prior <= 1 <- requires a public prior `pi` over rules, positive and with sum at most 1, fixed before the records are drawn
     In h0 rules <- requires `h0`, one of the rules, is fixed before the records are drawn
     (0 < n)%nat <- check whole(n) unless n == 0
     0 < beta <- check probability(beta)
     0 < rate <- check positive(rate)
     true_error h0 = 0 <- requires for the first half of Theorem 2 it never errs *)
  Theorem comparator_realizable rate n beta : (0 < n)%nat -> 0 < beta -> 0 < rate ->
    true_error h0 = 0 ->
    released_wrong predict rules examples p
      ((1 - shrink n beta) / (1 - exp (- rate))) (prior_draw rate) n <= beta.
  Proof.
    intros Hn Hb Hr H0. apply prior_bound; try assumption. intros h Hh Hw.
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    eapply Rle_trans;
      [apply (realizable_factor predict examples p lawful rate _ 0 h h0 Hr Hw); right; exact H0|].
    right. field. lra.
  Qed.

  (** Theorem 2, agnostic: the first of the two formulas of agnostic_excess. *)
  (* code: tacit.bounds.upper.occam.agnostic_excess
     forall h, In h rules -> 0 < prior h <- check positive(prior) for prior h
     finite_law examples p <- requires `n` independent records from any distribution
     sum rules prior <= 1 <- requires a public prior `pi` over rules, positive and with sum at most 1, fixed before the records are drawn
     In h0 rules <- requires `h0`, one of the rules, is fixed before the records are drawn
     (0 < n)%nat <- check whole(n) unless n == 0
     0 < beta <- check probability(beta)
     0 < rate <- check positive(rate) *)
  Theorem comparator_agnostic rate n beta : (0 < n)%nat -> 0 < beta -> 0 < rate ->
    released_wrong predict rules examples p
      (true_error h0 + (cosh rate - shrink n beta) / sinh rate) (prior_draw rate) n <= beta.
  Proof.
    intros Hn Hb Hr. apply prior_bound; try assumption. intros h Hh Hw.
    assert (Hs : exp (- rate) < exp rate) by (apply exp_increasing; lra).
    eapply Rle_trans; [apply (agnostic_factor predict examples p lawful rate _ h h0 Hr Hw)|].
    right. unfold cosh, sinh. field. lra.
  Qed.
End Prior.

(** ** Numbers of records where no rule is perfect *)
Section Records.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.
  Variable rules : list H.
  Variable examples : list (X * bool).
  Variable p : X * bool -> R.
  Hypothesis lawful : finite_law examples p.
  Hypothesis distinct : NoDup rules.
  Variable h0 : H.
  Hypothesis comparator : In h0 rules.

  Lemma rules_at_least_1 : 0 <= INR (length rules) - 1.
  Proof.
    assert (1 <= INR (length rules)); [|lra]. replace 1 with (INR 1) by reflexivity.
    apply le_INR. destruct rules; [contradiction|simpl; lia].
  Qed.

  (** tacit.bounds.upper.selection.realizable with [rho > 0]: the rate is at most half the
      logarithm of [alpha / rho], so that the factor is below 1. *)
  (* code: tacit.bounds.upper.selection.realizable
     finite_law examples p <- requires The records are independent with any one distribution
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     In h0 rules <- requires `h0`, a rule of `H`, is fixed before the records are drawn
     0 < rho < alpha <- object tacit.bounds.upper.selection._realizable: rate = best_rate(full=full, odds=alpha / rho if rho else None)
     alpha <= 1 <- check probability(alpha)
     0 < beta <- check probability(beta)
     0 < rate <= ln (alpha / rho) / 2 <- object tacit.bounds.upper.selection.best_rate: ``min(full, ln(odds) / 2)``, rounded down
     error examples p (predict h0) <= rho <- requires in Theorem 1 its error is at most `rho`
     ln ((INR (length rules) - 1) / beta) / - ln (1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem records_rho rate alpha beta rho n :
    0 < rho < alpha -> alpha <= 1 -> 0 < beta -> 0 < rate <= ln (alpha / rho) / 2 ->
    error examples p (predict h0) <= rho ->
    ln ((INR (length rules) - 1) / beta)
      / - ln (1 - alpha * (1 - exp (- rate)) + rho * (exp rate - 1)) <= INR n ->
    released_wrong predict rules examples p alpha (generic_learner predict eq_dec rules rate) n <= beta.
  Proof.
    intros Hrho Ha Hb [Hr Hrate] H0 Hn.
    eapply Rle_trans; [apply (selection_realizable predict eq_dec rules examples p lawful
                                rate alpha rho h0 n); try assumption; lra|].
    apply union_records; try assumption; [apply rules_at_least_1|].
    assert (Hup : 1 < exp rate) by (rewrite <- exp_0; now apply exp_increasing).
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    pose proof (exp_pos (- rate)) as Hpos.
    assert (Hinv : exp rate * exp (- rate) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    assert (Hsq : rho * (exp rate * exp rate) <= alpha).
    { rewrite <- exp_plus. apply Rmult_le_reg_l with (/ rho); [apply Rinv_0_lt_compat; lra|].
      rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra.
      replace (/ rho * alpha) with (exp (ln (alpha / rho))).
      - apply exp_le. lra.
      - rewrite exp_ln; [field; lra|]. apply Rdiv_lt_0_compat; lra. }
    assert (Hlt : rho * (exp rate - 1) < alpha * (1 - exp (- rate))).
    { replace (exp rate - 1) with (exp rate * (1 - exp (- rate))) by (rewrite Rmult_minus_distr_l, Hinv; ring).
      rewrite <- Rmult_assoc. apply Rmult_lt_compat_r; [lra|].
      apply Rlt_le_trans with (rho * (exp rate * exp rate)); [|assumption].
      apply Rmult_lt_compat_l; [lra|]. rewrite <- (Rmult_1_l (exp rate)) at 1.
      apply Rmult_lt_compat_r; lra. }
    assert (alpha * (1 - exp (- rate)) <= 1 * (1 - exp (- rate))) by (apply Rmult_le_compat_r; lra).
    assert (0 < rho * (exp rate - 1)) by (apply Rmult_lt_0_compat; lra).
    lra.
  Qed.

  (** tacit.bounds.upper.selection.agnostic, with [gain = alpha - rho]. *)
  (* code: tacit.bounds.upper.selection.agnostic
     finite_law examples p <- requires The records are independent with any one distribution
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     In h0 rules <- requires `h0`, a rule of `H`, is fixed before the records are drawn
     0 < gain < 1 <- object tacit.bounds.upper.selection._agnostic: gain = alpha - rho
     0 < beta <- check probability(beta)
     0 < rate <= ln ((1 + gain) / (1 - gain)) / 2 <- object tacit.bounds.upper.selection.best_rate: ``min(full, ln(odds) / 2)``, rounded down
     ln ((INR (length rules) - 1) / beta) / - ln ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem records_agnostic rate gain beta n :
    0 < gain < 1 -> 0 < beta -> 0 < rate <= ln ((1 + gain) / (1 - gain)) / 2 ->
    ln ((INR (length rules) - 1) / beta)
      / - ln ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) <= INR n ->
    released_wrong predict rules examples p (error examples p (predict h0) + gain)
      (generic_learner predict eq_dec rules rate) n <= beta.
  Proof.
    intros Hg Hb [Hr Hrate] Hn.
    eapply Rle_trans; [apply (selection_agnostic predict eq_dec rules examples p lawful
                                rate gain h0 n); try assumption; lra|].
    apply union_records; try assumption; [apply rules_at_least_1|].
    assert (Hup : 1 < exp rate) by (rewrite <- exp_0; now apply exp_increasing).
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    pose proof (exp_pos (- rate)) as Hpos.
    assert (Hinv : exp rate * exp (- rate) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    assert (Hsq : (1 - gain) * (exp rate * exp rate) <= 1 + gain).
    { rewrite <- exp_plus. apply Rmult_le_reg_l with (/ (1 - gain)); [apply Rinv_0_lt_compat; lra|].
      rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra.
      replace (/ (1 - gain) * (1 + gain)) with (exp (ln ((1 + gain) / (1 - gain)))).
      - apply exp_le. lra.
      - rewrite exp_ln; [field; lra|]. apply Rdiv_lt_0_compat; lra. }
    assert (0 < (1 + gain) / 2 * exp (- rate)) by (apply Rmult_lt_0_compat; lra).
    assert (0 < (1 - gain) / 2 * exp rate) by (apply Rmult_lt_0_compat; lra).
    split; [lra|].
    (* (1 - g) y < 1 + g with y = exp rate, so the factor falls below 1 *)
    assert (Hlt : (1 - gain) * exp rate < 1 + gain).
    { apply Rlt_le_trans with ((1 - gain) * (exp rate * exp rate)); [|assumption].
      apply Rmult_lt_compat_l; [lra|]. rewrite <- (Rmult_1_l (exp rate)) at 1.
      apply Rmult_lt_compat_r; lra. }
    assert (Hprod : 0 < (1 + gain - (1 - gain) * exp rate) * (1 - exp (- rate)))
      by (apply Rmult_lt_0_compat; lra).
    replace ((1 + gain - (1 - gain) * exp rate) * (1 - exp (- rate)))
      with ((1 + gain) - (1 + gain) * exp (- rate) - (1 - gain) * exp rate +
            (1 - gain) * (exp rate * exp (- rate))) in Hprod by ring.
    rewrite Hinv in Hprod. lra.
  Qed.
End Records.

(** ** Private, and accurate where no rule is perfect, in one statement

    [w] is the spread of the numbers of mistakes under the relation: 2 under replace-one and label, 1
    under add/remove (Selection.mistakes_spread_replace_one and its like). *)
Section Agnostic.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.
  Variable rules : list H.
  Variable neighbours : list (X * bool) -> list (X * bool) -> Prop.
  Variables w epsilon rate gain beta : R.
  Variable n : nat.
  Let learner := generic_learner predict eq_dec rules rate.

  Lemma agnostic_private : NoDup rules -> rules <> [] ->
    spread neighbours rules (mistake_score predict) w -> 0 < w -> 0 < rate -> rate * w <= epsilon ->
    (forall S, finite_law rules (learner S)) /\
    bounded_range neighbours epsilon learner /\ pure neighbours epsilon learner.
  Proof.
    intros Hd Hne Hs Hw Hr Hew.
    assert (Law : forall S, finite_law rules (learner S)) by (intros S; now apply exponential_law).
    assert (Range : bounded_range neighbours epsilon learner).
    { intros S S' HS.
      assert (B : bounded_range neighbours (rate * w) (generic_learner predict eq_dec rules (rate * w / w))).
      { apply exponential_bounded_range; try assumption. apply Rmult_le_pos; lra. }
      replace (rate * w / w) with rate in B by (field; lra).
      destruct (B S S' HS) as [a Ha]. exists a. intros o. destruct (Ha o) as [H1 H2]. split; [exact H1|].
      eapply Rle_trans; [exact H2|]. apply Rmult_le_compat_r; [apply (Law S')|]. apply exp_le. lra. }
    split; [exact Law|]. split; [exact Range|].
    apply bounded_range_pure; [|exact Range]. intros S. exact (finite_law_law _ _ (Law S)).
  Qed.

  (* code: tacit.bounds.upper.selection.agnostic
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     rules <> [] <- requires `h0`, a rule of `H`, is fixed before the records are drawn
     0 < w <- object tacit.mechanisms.calibration.spread: Replacing a record or flipping a label moves each number by -1, 0 or 1; adding or removing one moves all of them the same way, by 0 or 1.
     spread neighbours rules (mistake_score predict) w <- object tacit.mechanisms.calibration.spread: Replacing a record or flipping a label moves each number by -1, 0 or 1; adding or removing one moves all of them the same way, by 0 or 1.
     0 < gain < 1 <- object tacit.bounds.upper.selection._agnostic: gain = alpha - rho
     0 < beta <- check probability(beta)
     0 < rate <= ln ((1 + gain) / (1 - gain)) / 2 <- object tacit.bounds.upper.selection.best_rate: ``min(full, ln(odds) / 2)``, rounded down
     rate <= epsilon / w <- object tacit.bounds.upper.selection.best_rate: ``min(full, ln(odds) / 2)``, rounded down
     ln ((INR (length rules) - 1) / beta) / - ln ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem agnostic_learner :
    NoDup rules -> rules <> [] ->
    0 < w -> spread neighbours rules (mistake_score predict) w ->
    0 < gain < 1 -> 0 < beta -> 0 < rate <= ln ((1 + gain) / (1 - gain)) / 2 -> rate <= epsilon / w ->
    ln ((INR (length rules) - 1) / beta)
      / - ln ((1 + gain) / 2 * exp (- rate) + (1 - gain) / 2 * exp rate) <= INR n ->
    (forall S, finite_law rules (learner S)) /\
    bounded_range neighbours epsilon learner /\
    pure neighbours epsilon learner /\
    agnostic_pac gain beta n rules predict learner.
  Proof.
    intros Hd Hne Hw Hs Hg Hb Hr Hre Hn.
    assert (Hew : rate * w <= epsilon).
    { apply Rmult_le_compat_r with (r := w) in Hre; [|lra].
      unfold Rdiv in Hre. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Hre by lra. exact Hre. }
    destruct (agnostic_private Hd Hne Hs Hw (proj1 Hr) Hew) as (L & B & P).
    split; [exact L|]. split; [exact B|]. split; [exact P|]. intros examples p lawful h0 Hh0.
    exact (records_agnostic predict eq_dec rules examples p lawful Hd h0 Hh0 rate gain beta n Hg Hb Hr Hn).
  Qed.

  (** The same with the chance of failure itself, for a class of at most [size] rules. *)
  Theorem agnostic_learner_stated size :
    NoDup rules -> rules <> [] ->
    0 < w -> spread neighbours rules (mistake_score predict) w ->
    0 <= gain <= 1 -> 0 < rate -> rate * w <= epsilon ->
    INR (length rules) <= size -> agnostic_failure size gain rate n <= beta ->
    (forall S, finite_law rules (learner S)) /\
    bounded_range neighbours epsilon learner /\
    pure neighbours epsilon learner /\
    agnostic_pac gain beta n rules predict learner.
  Proof.
    intros Hd Hne Hw Hs Hg Hr Hew Hsize Hn.
    destruct (agnostic_private Hd Hne Hs Hw Hr Hew) as (L & B & P).
    split; [exact L|]. split; [exact B|]. split; [exact P|]. intros examples p lawful h0 Hh0.
    eapply Rle_trans; [exact (selection_agnostic predict eq_dec rules examples p lawful rate gain h0 n Hd Hh0 Hr Hg)|].
    eapply Rle_trans; [|exact Hn]. unfold agnostic_failure. apply Rmult_le_compat_r; [|lra]. apply pow_le.
    pose proof (exp_pos rate). pose proof (exp_pos (- rate)).
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
  Qed.
End Agnostic.
