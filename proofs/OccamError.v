(** Occam's bound solved for the error (tacit.bounds.upper.occam.occam_error): the relative entropy
    rises with the error and falls with the mistakes, so one excluded number excludes all above it,
    and a bound for more mistakes holds for fewer. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Selection Composition MasterBound Occam.
Import ListNotations.
Open Scope R_scope.

Lemma ln_at_most z : 0 < z -> ln z <= z - 1.
Proof.
  intros Hz. assert (E := exp_ineq1_le (ln z)). rewrite exp_ln in E by assumption. lra.
Qed.

Lemma ln_at_least z : 0 < z -> 1 - / z <= ln z.
Proof.
  intros Hz. assert (E := ln_at_most (/ z) (Rinv_0_lt_compat z Hz)). rewrite ln_Rinv in E by assumption. lra.
Qed.

(** Above [x] the relative entropy rises with [q]. *)
(* code: tacit.bounds.upper.occam.occam_error
   0 <= x < q <- object tacit.bounds.upper.occam._certainly_excluded: if p <= share: return False
   q <= q' <- object tacit.bounds.upper.occam.occam_error: A bound on the true error of a rule
   q' < 1 <- object tacit.bounds.upper.occam.occam_error: low, high = int(share * _GRID), _GRID *)
Theorem kl_rises x q q' : 0 <= x < q -> q <= q' -> q' < 1 -> kl x q <= kl x q'.
Proof.
  intros [Hx Hq] Hqq Hq1. unfold kl.
  assert (A : x * ln (x / q) - x * ln (x / q') <= x * (q' / q - 1)).
  { destruct Hx as [Hx| <-]; [|lra]. rewrite !ln_quotient by lra.
    assert (L := ln_at_most (q' / q) ltac:(apply Rdiv_lt_0_compat; lra)).
    rewrite ln_quotient in L by lra.
    replace (x * (ln x - ln q) - x * (ln x - ln q')) with (x * (ln q' - ln q)) by ring.
    apply Rmult_le_compat_l; lra. }
  assert (B : (1 - x) * ln ((1 - x) / (1 - q)) - (1 - x) * ln ((1 - x) / (1 - q'))
              <= (1 - x) * ((1 - q') / (1 - q) - 1)).
  { rewrite !ln_quotient by lra.
    assert (L := ln_at_most ((1 - q') / (1 - q)) ltac:(apply Rdiv_lt_0_compat; lra)).
    rewrite ln_quotient in L by lra.
    replace ((1 - x) * (ln (1 - x) - ln (1 - q)) - (1 - x) * (ln (1 - x) - ln (1 - q')))
      with ((1 - x) * (ln (1 - q') - ln (1 - q))) by ring.
    apply Rmult_le_compat_l; lra. }
  assert (C : x * (q' / q - 1) + (1 - x) * ((1 - q') / (1 - q) - 1)
              = - ((q' - q) * (q - x) * / (q * (1 - q)))) by (field; lra).
  assert (0 <= (q' - q) * (q - x) * / (q * (1 - q))).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat.
    apply Rmult_lt_0_compat; lra. }
  lra.
Qed.

(** Below [q] it falls with [x]. *)
(* code: tacit.bounds.upper.occam.occam_error
   0 <= x' <= x <- object tacit.bounds.upper.occam.occam_error: share = Fraction(max(0, mistakes), n)
   x < q <- object tacit.bounds.upper.occam._certainly_excluded: if p <= share: return False
   q < 1 <- object tacit.bounds.upper.occam.occam_error: low, high = int(share * _GRID), _GRID *)
Theorem kl_falls x' x q : 0 <= x' <= x -> x < q -> q < 1 -> kl x q <= kl x' q.
Proof.
  intros [Hx' Hxx] Hq Hq1. destruct (Req_dec x' x) as [->|Hne]; [lra|].
  assert (Hx : 0 < x) by lra.
  (* kl x' q = kl x' x + what x' mistakes cost at x's rate *)
  assert (E : kl x' q = kl x' x + (x' * ln (x / q) + (1 - x') * ln ((1 - x) / (1 - q)))).
  { unfold kl. rewrite (ln_quotient (1 - x') (1 - q)), (ln_quotient (1 - x') (1 - x)),
      (ln_quotient (1 - x) (1 - q)), (ln_quotient x q) by lra.
    destruct Hx' as [Hp| <-]; [rewrite !ln_quotient by lra|]; ring. }
  assert (P : 0 <= kl x' x).
  { unfold kl. assert (B : (1 - x') * (1 - / ((1 - x') / (1 - x))) <= (1 - x') * ln ((1 - x') / (1 - x))).
    { apply Rmult_le_compat_l; [lra|]. apply ln_at_least. apply Rdiv_lt_0_compat; lra. }
    assert (A : x' - x <= x' * ln (x' / x)).
    { destruct Hx' as [Hp| <-]; [|lra]. replace (x' - x) with (x' * (1 - / (x' / x))) by (field; lra).
      apply Rmult_le_compat_l; [lra|]. apply ln_at_least. apply Rdiv_lt_0_compat; lra. }
    replace ((1 - x') * (1 - / ((1 - x') / (1 - x)))) with (x - x') in B by (field; lra). lra. }
  assert (D1 : ln (x / q) <= 0).
  { rewrite ln_quotient by lra. assert (ln x < ln q) by (apply ln_increasing; lra). lra. }
  assert (D2 : 0 <= ln ((1 - x) / (1 - q))).
  { rewrite ln_quotient by lra. assert (ln (1 - q) < ln (1 - x)) by (apply ln_increasing; lra). lra. }
  assert (0 <= (x - x') * (ln ((1 - x) / (1 - q)) - ln (x / q))) by (apply Rmult_le_pos; lra).
  rewrite E. unfold kl at 1. lra.
Qed.

Section OccamError.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable rules : list H.
  Variable prior : H -> R.
  Hypothesis prior_positive : forall h, In h rules -> 0 < prior h.
  Hypothesis prior_total : sum rules prior <= 1.

  (** What the code returns for [k] mistakes of a rule of this level: 1, or a number above the share
      of mistakes that is excluded. Of no records it says 1. *)
  Definition sound_bound (n : nat) (level : R) (k : nat) (bound : R) : Prop :=
    1 <= bound \/
    ((0 < n)%nat /\ INR k / INR n < bound /\ level < INR n * kl (INR k / INR n) bound).

  (** All errors above it are excluded too, and also if fewer mistakes were made than said. *)
  Lemma bound_excludes n level k k' bound q : (k' <= k)%nat -> q <= 1 ->
    sound_bound n level k bound -> bound < q -> excluded n level q k'.
  Proof.
    intros Hk Hq1 [H1|(Hn & Hx & Hl)] Hq; [lra|].
    assert (HN : 0 < INR n) by now apply lt_0_INR.
    assert (Hk' : 0 <= INR k' / INR n <= INR k / INR n).
    { assert (Hi : 0 < / INR n) by now apply Rinv_0_lt_compat.
      split; [apply Rmult_le_pos; [apply pos_INR|lra]|].
      apply Rmult_le_compat_r; [lra|now apply le_INR]. }
    split; [lra|]. destruct Hq1 as [Hq1|Hq1]; [right|now left].
    eapply Rlt_le_trans; [exact Hl|]. apply Rmult_le_compat_l; [lra|].
    eapply Rle_trans; [apply (kl_rises (INR k / INR n) bound q); lra|].
    apply kl_falls; lra.
  Qed.

  (** But for probability [beta] over the records, every rule errs at most as much as its bound
      says, however the rule was chosen, and also if its mistakes are only known from above. *)
  (* code: tacit.bounds.upper.occam.occam_error
     forall h, In h rules -> 0 < prior h <- check positive(prior) for prior h
     sum rules prior <= 1 <- requires a public prior `pi` over rules, positive and with sum at most 1, fixed before the records are drawn
     0 < beta <- check probability(beta)
     (forall S h, In h rules -> (mistakes (predict h) S <= said S h)%nat) <- requires `mistakes` is the number of the rule's mistakes or more
     (forall h k, In h rules -> sound_bound n (ln (1 / (prior h * beta))) k (bound h k)) <- object tacit.bounds.upper.occam.occam_error: if _certainly_excluded(share, Fraction(middle, _GRID), n=n, odds=1 / (prior * beta)): high = middle *)
  Theorem occam_error beta n (said : list (X * bool) -> H -> nat) (bound : H -> nat -> R) :
    0 < beta ->
    (forall S h, In h rules -> (mistakes (predict h) S <= said S h)%nat) ->
    (forall h k, In h rules -> sound_bound n (ln (1 / (prior h * beta))) k (bound h k)) ->
    generalises beta n rules predict (fun S h => bound h (said S h)).
  Proof.
    intros Hb Hsaid Hbound examples p lawful.
    destruct (Nat.eq_dec n 0) as [->|Hn0].
    { apply Rle_trans with 0; [|lra]. unfold sample_probability. apply Req_le, sum_zero. intros S _.
      destruct (existsb _ rules) eqn:E; [|reflexivity].
      apply existsb_exists in E as (h & Hh & E). destruct (Rlt_dec _ _) as [L|]; [|discriminate].
      destruct (Hbound h (said S h) Hh) as [H1|[H1 _]]; [|lia].
      pose proof (error_bounds examples p lawful (predict h)). lra. }
    assert (Hn : (0 < n)%nat) by lia.
    eapply Rle_trans; [|exact (occam predict rules prior examples p lawful prior_positive prior_total
                                 beta n Hb Hn)].
    pose proof lawful as (_ & Hp & _). unfold sample_probability. apply sum_le. intros S _.
    pose proof (sample_mass_nonneg p Hp S) as M.
    destruct (existsb (fun h => if Rlt_dec (bound h (said S h)) (error examples p (predict h))
                                then true else false) rules) eqn:E;
      [|match goal with |- _ <= if ?b then _ else _ => destruct b end; [exact M|apply Rle_refl]].
    apply existsb_exists in E as (h & Hh & E). destruct (Rlt_dec _ _) as [L|]; [|discriminate].
    match goal with |- _ <= if existsb ?f rules then _ else _ =>
      assert (T : existsb f rules = true) end.
    { apply existsb_exists. exists h. split; [assumption|].
      destruct (excluded_dec _ _ _ _) as [|N]; [reflexivity|exfalso]. apply N.
      apply (bound_excludes n _ (said S h) _ (bound h (said S h))); auto.
      now apply (error_bounds examples p lawful (predict h)). }
    rewrite T. lra.
  Qed.
End OccamError.

(** So the rule that a mechanism releases errs at most as much as its bound says, but for [beta]:
    the bound holds for all rules at once, so it does not matter how one of them is chosen. *)
(* code: tacit.bounds.upper.occam.occam_error
   generalises beta n rules predict bound <- object tacit.bounds.upper.occam.occam_error: A bound on the true error of a rule
   finite_law examples p <- requires `n` independent records from any distribution
   (forall S h, 0 <= m S h) <- requires the rule is drawn with probability proportional to
   (forall S, sum rules (m S) <= 1) <- requires the rule is drawn with probability proportional to *)
Theorem released_error {X H : Type} (predict : H -> X -> bool) (rules : list H) beta n
  (bound : list (X * bool) -> H -> R) (examples : list (X * bool)) (p : X * bool -> R)
  (m : mechanism (list (X * bool)) H) :
  generalises beta n rules predict bound -> finite_law examples p ->
  (forall S h, 0 <= m S h) -> (forall S, sum rules (m S) <= 1) ->
  sum (samples examples n) (fun S => sample_mass p S *
    sum rules (fun h => if Rlt_dec (bound S h) (error examples p (predict h)) then m S h else 0)) <= beta.
Proof.
  intros Hg lawful Hm H1. eapply Rle_trans; [|exact (Hg examples p lawful)].
  pose proof lawful as (_ & Hp & _). unfold sample_probability. apply sum_le. intros S _.
  pose proof (sample_mass_nonneg p Hp S) as M.
  set (wrong := fun h => if Rlt_dec (bound S h) (error examples p (predict h)) then true else false).
  destruct (existsb wrong rules) eqn:E.
  - rewrite <- (Rmult_1_r (sample_mass p S)) at 2. apply Rmult_le_compat_l; [assumption|].
    eapply Rle_trans; [|apply (H1 S)]. apply sum_le. intros h _. destruct (Rlt_dec _ _); [lra|apply Hm].
  - rewrite sum_zero; [lra|]. intros h Hh. destruct (Rlt_dec _ _) as [L|]; [|reflexivity].
    exfalso. assert (T : existsb wrong rules = true); [|congruence].
    apply existsb_exists. exists h. split; [assumption|]. unfold wrong.
    destruct (Rlt_dec _ _); [reflexivity|contradiction].
Qed.
