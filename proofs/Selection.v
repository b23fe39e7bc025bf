(** The exponential mechanism over a finite set: tacit.mechanisms.selection.Exponential,
    and the score tacit.mechanisms.score.Mistakes. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions.
Import ListNotations.
Open Scope R_scope.

(** A bounded range that the two laws must share gives pure privacy: laws sum to 1, so the
    ratios cannot all be above 1, nor all below. *)
Theorem bounded_range_pure {D O} (neighbours : D -> D -> Prop) epsilon (m : mechanism D O) :
  (forall S, law (m S)) -> bounded_range neighbours epsilon m -> pure neighbours epsilon m.
Proof.
  intros Hlaw Hr S S' Hn o. destruct (Hr S S' Hn) as [a Ha].
  destruct (Hlaw S) as [Hp [Hu Hl]]. destruct (Hlaw S') as [Hp' [Hu' Hl']].
  assert (Hexp := exp_pos a).
  assert (Ha0 : exp a <= 1).
  { assert (1 <= / exp a); [apply Hl'|].
    - intros x (l & Hd & ->).
      assert (exp a * sum l (m S') <= 1).
      { eapply Rle_trans; [|apply (Hu (sum l (m S))); now exists l].
        rewrite <- sum_scal. apply sum_le. intros; apply Ha. }
      apply (Rmult_le_reg_l (exp a)); [assumption|]. rewrite Rinv_r by lra. lra.
    - apply (Rmult_le_reg_r (/ exp a)); [now apply Rinv_0_lt_compat|].
      rewrite Rinv_r by lra. lra. }
  eapply Rle_trans; [apply Ha|]. apply Rmult_le_compat_r; [apply Hp'|].
  rewrite exp_plus. assert (H := exp_pos epsilon).
  rewrite <- (Rmult_1_l (exp epsilon)) at 2. apply Rmult_le_compat_r; lra.
Qed.

(** Between neighbours the errors of all candidates move within one interval of length [w]
    (tacit.mechanisms.score.Score.spread). *)
Definition spread {D C} (neighbours : D -> D -> Prop) (candidates : list C)
  (err : D -> C -> R) (w : R) : Prop :=
  forall S S', neighbours S S' ->
  exists a, forall r, In r candidates -> a <= err S' r - err S r <= a + w.

Section Exponential.
  Context {D C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable candidates : list C.
  Variable err : D -> C -> R.

  Definition weight (rate : R) (S : D) (r : C) : R := exp (- rate * err S r).

  Definition total (rate : R) (S : D) : R := sum candidates (weight rate S).

  (** A candidate with probability proportional to [exp (- rate * error)]. *)
  Definition exponential (rate : R) : mechanism D C :=
    fun S r => if in_dec eq_dec r candidates then weight rate S r / total rate S else 0.

  Lemma total_pos rate S : candidates <> [] -> 0 < total rate S.
  Proof. intros H. apply sum_pos; [assumption|]. intros; apply exp_pos. Qed.

  (* code: tacit.mechanisms.selection.Exponential
     NoDup candidates <- requires $R$ is finite, not empty, and lists each candidate once
     candidates <> [] <- requires $R$ is finite, not empty, and lists each candidate once *)
  Theorem exponential_law rate S :
    NoDup candidates -> candidates <> [] -> finite_law candidates (exponential rate S).
  Proof.
    intros Hd Hne. assert (Ht := total_pos rate S Hne). unfold exponential.
    repeat split; [assumption| | |].
    - intros r. destruct (in_dec _ _ _); [|lra].
      apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|assumption].
    - intros r Hr. destruct (in_dec _ _ _); [contradiction|reflexivity].
    - rewrite (sum_ext _ _ (fun r => weight rate S r * / total rate S)).
      + rewrite sum_scal_r. apply Rinv_r. lra.
      + intros r Hr. destruct (in_dec _ _ _); [reflexivity|contradiction].
  Qed.

  Variable neighbours : D -> D -> Prop.

  Lemma rate_nonneg epsilon w : 0 <= epsilon -> 0 < w -> 0 <= epsilon / w.
  Proof. intros He Hw. apply Rmult_le_pos; [assumption|]. now apply Rlt_le, Rinv_0_lt_compat. Qed.

  (** What one candidate's weight changes by, if its error moves by [a] to [a + w]. *)
  Lemma weight_moves rate w S S' a r : 0 <= rate -> a <= err S' r - err S r <= a + w ->
    exp (rate * a) * weight rate S' r <= weight rate S r <= exp (rate * (a + w)) * weight rate S' r.
  Proof.
    intros Hr Ha.
    assert (E : weight rate S r = exp (rate * (err S' r - err S r)) * weight rate S' r).
    { unfold weight. rewrite <- exp_plus. f_equal. lra. }
    assert (Hm : forall x y, x <= y -> exp x <= exp y).
    { intros x y [H|H]; [left; now apply exp_increasing|subst; lra]. }
    assert (0 < weight rate S' r) by apply exp_pos. rewrite E.
    split; apply Rmult_le_compat_r; try lra; apply Hm, Rmult_le_compat_l; lra.
  Qed.

  (* code: tacit.mechanisms.selection.Exponential
     0 <= epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select
     0 < w <- object tacit.mechanisms.score.Score.spread: A positive length ``w`` such that
     spread neighbours candidates err w <- requires for all neighbours there is an $a$ with $a \le c(r) \le a + w$ for all $r$ *)
  Theorem exponential_bounded_range epsilon w :
    0 <= epsilon -> 0 < w -> spread neighbours candidates err w ->
    bounded_range neighbours epsilon (exponential (epsilon / w)).
  Proof.
    intros He Hw Hs S S' Hn. destruct (Hs S S' Hn) as [a Ha].
    set (rate := epsilon / w). assert (Hrate := rate_nonneg epsilon w He Hw). fold rate in Hrate.
    assert (Hrw : rate * w = epsilon) by (unfold rate; field; lra). clearbody rate.
    exists (rate * a + ln (total rate S' / total rate S)). intros r.
    unfold exponential. destruct (in_dec _ _ _) as [Hr|Hr]; [|lra].
    assert (Hne : candidates <> []) by (intros E; rewrite E in Hr; destruct Hr).
    assert (Ht := total_pos rate S Hne). assert (Ht' := total_pos rate S' Hne).
    assert (Hb : forall c, exp (c + ln (total rate S' / total rate S)) *
                           (weight rate S' r / total rate S') =
                           exp c * weight rate S' r / total rate S).
    { intros c. rewrite exp_plus, exp_ln by (apply Rdiv_lt_0_compat; assumption).
      field. split; lra. }
    replace (rate * a + ln (total rate S' / total rate S) + epsilon)
      with (rate * (a + w) + ln (total rate S' / total rate S)) by lra.
    rewrite !Hb. assert (Hi := Rinv_0_lt_compat _ Ht).
    assert (Hm := weight_moves rate w S S' a r Hrate (Ha r Hr)).
    split; apply Rmult_le_compat_r; lra.
  Qed.

  (** Hence privacy; that the candidates are different, or some, is not needed for it. *)
  (* code: tacit.mechanisms.selection.Exponential
     0 <= epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select
     0 < w <- object tacit.mechanisms.score.Score.spread: A positive length ``w`` such that
     spread neighbours candidates err w <- requires for all neighbours there is an $a$ with $a \le c(r) \le a + w$ for all $r$ *)
  Theorem exponential_pure epsilon w :
    0 <= epsilon -> 0 < w -> spread neighbours candidates err w ->
    pure neighbours epsilon (exponential (epsilon / w)).
  Proof.
    intros He Hw Hs S S' Hn r. destruct (Hs S S' Hn) as [a Ha].
    set (rate := epsilon / w). assert (Hrate := rate_nonneg epsilon w He Hw). fold rate in Hrate.
    assert (Hrw : rate * w = epsilon) by (unfold rate; field; lra). clearbody rate.
    unfold exponential. destruct (in_dec _ _ _) as [Hr|Hr]; [|lra].
    assert (Hne : candidates <> []) by (intros E; rewrite E in Hr; destruct Hr).
    assert (Ht := total_pos rate S Hne). assert (Ht' := total_pos rate S' Hne).
    assert (Hsum : exp (rate * a) * total rate S' <= total rate S).
    { unfold total. rewrite <- sum_scal. apply sum_le. intros s Hs'.
      now apply (weight_moves rate w), Ha. }
    assert (Hup := proj2 (weight_moves rate w S S' a r Hrate (Ha r Hr))).
    assert (Ea := exp_pos (rate * a)). assert (Hpos : 0 < weight rate S' r) by apply exp_pos.
    apply (Rmult_le_reg_r (total rate S)); [assumption|].
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    eapply Rle_trans; [exact Hup|].
    replace (rate * (a + w)) with (epsilon + rate * a) by lra. rewrite exp_plus.
    apply Rle_trans with (exp epsilon * (weight rate S' r / total rate S') * (exp (rate * a) * total rate S')).
    - right. field. lra.
    - apply Rmult_le_compat_l; [|exact Hsum]. apply Rmult_le_pos; [apply Rlt_le, exp_pos|].
      apply Rlt_le, Rdiv_lt_0_compat; assumption.
  Qed.
End Exponential.

(** ** The number of mistakes *)

Lemma list_sum_app_cons (f : nat) l : list_sum (f :: l) = (f + list_sum l)%nat.
Proof. reflexivity. Qed.

Lemma mistakes_split {X} (h : X -> bool) before z after :
  mistakes h (before ++ z :: after) = (mistakes h (before ++ after) + wrong h z)%nat.
Proof.
  unfold mistakes. rewrite !map_app. cbn [map]. rewrite !list_sum_app, list_sum_app_cons. lia.
Qed.

Lemma wrong_bounds {X} (h : X -> bool) z : 0 <= INR (wrong h z) <= 1.
Proof. unfold wrong. destruct (Bool.eqb _ _); simpl; lra. Qed.

Section Mistakes.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable rules : list H.

  Definition mistake_score (S : list (X * bool)) (h : H) : R := INR (mistakes (predict h) S).

  (* code: tacit.mechanisms.score.Mistakes
  *)
  Theorem mistakes_spread_replace_one : spread replace_one rules mistake_score 2.
  Proof.
    intros S S' (b & x & x' & a & -> & ->). exists (-1). intros h _. unfold mistake_score.
    rewrite !mistakes_split, !plus_INR.
    assert (A := wrong_bounds (predict h) x). assert (B := wrong_bounds (predict h) x'). lra.
  Qed.

  (* code: tacit.mechanisms.score.Mistakes
  *)
  Theorem mistakes_spread_label : spread label rules mistake_score 2.
  Proof.
    intros S S' (b & x & y & y' & a & -> & ->). apply mistakes_spread_replace_one.
    now exists b, (x, y), (x, y'), a.
  Qed.

  (* code: tacit.mechanisms.score.Mistakes
  *)
  Theorem mistakes_spread_add_remove : spread add_remove rules mistake_score 1.
  Proof.
    intros S S' [(b & x & a & -> & ->) | (b & x & a & -> & ->)].
    - exists 0. intros h _. unfold mistake_score. rewrite mistakes_split, plus_INR.
      assert (A := wrong_bounds (predict h) x). lra.
    - exists (-1). intros h _. unfold mistake_score. rewrite mistakes_split, plus_INR.
      assert (A := wrong_bounds (predict h) x). lra.
  Qed.

  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.

  (** Two-sided: a substituted record moves the counts up or down, so the rate is halved. *)
  (* code: tacit.mechanisms.selection.Exponential
     0 <= epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select *)
  Theorem exponential_mistakes_replace_one epsilon :
    0 <= epsilon ->
    pure replace_one epsilon (exponential eq_dec rules mistake_score (epsilon / 2)).
  Proof.
    intros. apply exponential_pure; auto; [lra|]. apply mistakes_spread_replace_one.
  Qed.

  (* code: tacit.mechanisms.selection.Exponential
     0 <= epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select *)
  Theorem exponential_mistakes_label epsilon :
    0 <= epsilon ->
    pure label epsilon (exponential eq_dec rules mistake_score (epsilon / 2)).
  Proof.
    intros. apply exponential_pure; auto; [lra|]. apply mistakes_spread_label.
  Qed.

  (** One-sided: an added record moves all counts the same way, so the rate is whole. *)
  (* code: tacit.mechanisms.selection.Exponential
     0 <= epsilon <- check positive(epsilon) in tacit.mechanisms.selection._Select *)
  Theorem exponential_mistakes_add_remove epsilon :
    0 <= epsilon ->
    pure add_remove epsilon (exponential eq_dec rules mistake_score (epsilon / 1)).
  Proof.
    intros. apply exponential_pure; auto; [lra|]. apply mistakes_spread_add_remove.
  Qed.
End Mistakes.
