(** Hypotheses far apart: Theorem 12 of Chaudhuri and Hsu, for finitely many values, as an instance
    of the packing bound (tacit.problems.reals.covers_lower.packed_hypotheses). One law of the
    values; only labels change, and all of them may. A changed label is [cost] steps of the relation:
    AnyAnswers.steps_of_relations. *)
From Coq Require Import Reals Lra List Bool Lia Arith.
From Tacit Require Import Sums Definitions Composition Groups Packing MasterBound Coupling
  PackingSpread AnyAnswers.
Import ListNotations.
Open Scope R_scope.

Section Apart.
  Context {X H O : Type}.
  Variable eq_dec : forall x y : X, {x = y} + {x <> y}.
  Variable values : list X.
  Variable p : X -> R.
  Variable predict : H -> X -> bool.
  Variable rule : O -> X -> bool.
  Variable neighbours : list (X * bool) -> list (X * bool) -> Prop.
  Variable m : mechanism (list (X * bool)) O.
  Variables epsilon delta alpha beta : R.
  Variables n cost : nat.
  Variable base : H.
  Variable others : list H.

  (** The probability that two rules disagree. *)
  Definition distance (f g : X -> bool) : R := sum values (fun x => p x * one (xorb (f x) (g x))).

  Definition labelled (h : H) : list (X * bool) := map (fun x => (x, predict h x)) values.
  Definition labelled_law (h : H) (z : X * bool) : R :=
    if Bool.eqb (snd z) (predict h (fst z)) then p (fst z) else 0.
  Definition close (h : H) (o : O) : bool :=
    if Rle_dec (distance (predict h) (rule o)) alpha then true else false.

  Lemma distance_triangle f g k : (forall x, 0 <= p x) -> distance f g <= distance f k + distance g k.
  Proof.
    intros Hp. unfold distance. rewrite <- sum_plus. apply sum_le. intros x _.
    rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [apply Hp|].
    unfold one. destruct (f x), (g x), (k x); simpl; lra.
  Qed.

  (** One answer is close to one hypothesis at most. *)
  Lemma close_once (l : list H) o : (forall x, 0 <= p x) -> NoDup l ->
    (forall h h', In h l -> In h' l -> h <> h' -> 2 * alpha < distance (predict h) (predict h')) ->
    sum l (fun h => one (close h o)) <= 1.
  Proof.
    intros Hp. induction 1 as [|h l Hh Hd IH]; intros Hfar; simpl; [lra|].
    unfold one at 1. destruct (close h o) eqn:E.
    - rewrite sum_zero; [lra|]. intros h' Hh'. unfold one. destruct (close h' o) eqn:E'; [|reflexivity].
      exfalso. unfold close in *. destruct (Rle_dec _ _) as [L|]; [|discriminate].
      destruct (Rle_dec (distance (predict h') _) _) as [L'|]; [|discriminate].
      assert (D := Hfar h h' (or_introl eq_refl) (or_intror Hh')).
      pose proof (distance_triangle (predict h) (predict h') (rule o) Hp).
      assert (h <> h') by (intros ->; contradiction). specialize (D H1). lra.
    - rewrite Rplus_0_l. apply IH. intros a b Ha Hb. apply Hfar; now right.
  Qed.

  (** All records may differ: [phi] is the power (1 - beta) exp (- n cost epsilon). *)
  Lemma apart_share :
    finite_law values p -> (forall S, sublaw (m S)) ->
    0 < epsilon -> 0 <= delta -> others <> [] ->
    approximate neighbours epsilon delta m ->
    (forall S S', label S S' -> within neighbours cost S S') ->
    NoDup (base :: others) ->
    (forall h h', In h (base :: others) -> In h' (base :: others) -> h <> h' ->
       2 * alpha < distance (predict h) (predict h')) ->
    (forall h, In h (base :: others) ->
       at_least m n (labelled h) (labelled_law h) (close h) (1 - beta)) ->
    phi n 1 (INR cost * epsilon) beta n <= beta / INR (length others) + lost epsilon delta.
  Proof.
    intros Hp Hlaw He Hd Hne Hpriv Hsteps Hnd Hfar Hacc. destruct Hp as (Pd & P0 & Pz & P1).
    set (pair := fun h x => ((x, predict base x), (x, predict h x))).
    set (coupling := fun h (w : (X * bool) * (X * bool)) =>
      if eq_dec (fst (fst w)) (fst (snd w)) then
        if Bool.eqb (snd (fst w)) (predict base (fst (fst w))) &&
           Bool.eqb (snd (snd w)) (predict h (fst (snd w))) then p (fst (fst w)) else 0 else 0).
    assert (Hc : forall h x, coupling h (pair h x) = p x).
    { intros h x. unfold coupling, pair; simpl. destruct (eq_dec x x); [|congruence].
      now rewrite !Bool.eqb_reflx. }
    assert (Hl : forall h x, labelled_law h (x, predict h x) = p x)
      by (intros h x; unfold labelled_law; simpl; now rewrite Bool.eqb_reflx).
    assert (Hlab : forall h, finite_law (labelled h) (labelled_law h)).
    { intros h. repeat split.
      - unfold labelled. apply FinFun.Injective_map_NoDup; [|assumption]. intros x y E. congruence.
      - intros z. unfold labelled_law. destruct (Bool.eqb _ _); [apply P0|lra].
      - intros [x y] Hz. unfold labelled_law; simpl. destruct (Bool.eqb y (predict h x)) eqn:E; [|reflexivity].
        apply Pz. intros Hx. apply Hz. apply Bool.eqb_prop in E. subst. unfold labelled.
        apply in_map_iff. now exists x.
      - unfold labelled. rewrite sum_map, <- P1. apply sum_ext. intros x _. apply Hl. }
    apply (packed_any neighbours m epsilon delta beta 1 n cost) with
      (base_examples := labelled base) (base_law := labelled_law base)
      (examples := labelled) (law_of := labelled_law)
      (pairs := fun h => map (pair h) values) (coupling := coupling)
      (differ := fun _ _ => true) (good := close) (base_good := close base); try assumption.
    - apply Hlab.
    - intros h _. apply Hlab.
    - intros h _. repeat split.
      + apply FinFun.Injective_map_NoDup; [|assumption]. intros x y E. unfold pair in E. congruence.
      + intros w. unfold coupling. destruct (eq_dec _ _); [|lra].
        destruct (_ && _); [apply P0|lra].
      + intros [[x y] [x' y']] Hw. unfold coupling; simpl. destruct (eq_dec x x') as [->|]; [|reflexivity].
        destruct (Bool.eqb y (predict base x') && Bool.eqb y' (predict h x')) eqn:E; [|reflexivity].
        apply andb_prop in E. destruct E as [E E']. apply Bool.eqb_prop in E. apply Bool.eqb_prop in E'.
        apply Pz. intros Hx. apply Hw. subst. apply in_map_iff. now exists x'.
      + rewrite sum_map, <- P1. apply sum_ext. intros x _. apply Hc.
    - intros h _ g. unfold labelled. rewrite !sum_map. apply sum_ext. intros x _. now rewrite Hc, Hl.
    - intros h _ g. unfold labelled. rewrite !sum_map. apply sum_ext. intros x _. now rewrite Hc, Hl.
    - intros h _. unfold chance. rewrite sum_map, <- P1. right. apply sum_ext. intros x _.
      rewrite Hc. unfold one. ring.
    - lra.
    - intros; discriminate.
    - intros h w _ Hw _ b a. apply in_map_iff in Hw. destruct Hw as (x & <- & _). simpl.
      apply Hsteps. now exists b, x, (predict h x), (predict base x), a.
    - intros h Hh. apply Hacc. now right.
    - intros o. exact (close_once (base :: others) o P0 Hnd Hfar).
    - apply Hacc. now left.
  Qed.

  (** The number of records, in the code's form. *)
  (* code: tacit.problems.reals.covers_lower.packed_hypotheses
     finite_law values p <- requires every distribution has finitely many values
     (forall S, sublaw (m S)) <- requires answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     0 < beta < 1 <- check probability(beta)
     (0 < cost)%nat <- object tacit.bounds.lower.packing.Budget.of: steps = 2 if relation is Relation.ADD_REMOVE else 1
     others <> [] <- object tacit.bounds.lower.packing.everything: if alternatives < 1: return 1
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     (forall S S', label S S' -> within neighbours cost S S') <- object tacit.bounds.lower.packing.Budget.of: steps = 2 if relation is Relation.ADD_REMOVE else 1
     NoDup (base :: others) <- object tacit.problems.reals.covers_lower.packed_hypotheses: Records needed when ``packing`` hypotheses are pairwise more than ``2 alpha`` apart.
     (forall h h', In h (base :: others) -> In h' (base :: others) -> h <> h' -> 2 * alpha < distance (predict h) (predict h')) <- object tacit.problems.reals.covers_lower.packed_hypotheses: Records needed when ``packing`` hypotheses are pairwise more than ``2 alpha`` apart.
     (forall h, In h (base :: others) -> at_least m n (labelled h) (labelled_law h) (close h) (1 - beta)) <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem apart :
    finite_law values p -> (forall S, sublaw (m S)) ->
    0 < epsilon -> 0 <= delta -> 0 < beta < 1 -> (0 < cost)%nat -> others <> [] ->
    approximate neighbours epsilon delta m ->
    (forall S S', label S S' -> within neighbours cost S S') ->
    NoDup (base :: others) ->
    (forall h h', In h (base :: others) -> In h' (base :: others) -> h <> h' ->
       2 * alpha < distance (predict h) (predict h')) ->
    (forall h, In h (base :: others) ->
       at_least m n (labelled h) (labelled_law h) (close h) (1 - beta)) ->
    ln ((1 - beta) / (beta / INR (length others) + lost epsilon delta)) / (INR cost * epsilon) <= INR n.
  Proof.
    intros Hp Hlaw He Hd Hb Hc Hne Hpriv Hsteps Hnd Hfar Hacc.
    apply records_needed; [assumption|assumption| |lra|now apply apart_share].
    assert (0 < INR (length others)) by (apply lt_0_INR; destruct others; [congruence|simpl; lia]).
    assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *.
    apply Rplus_lt_le_0_compat; [apply Rdiv_lt_0_compat; lra|]. unfold lost.
    apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat. lra.
  Qed.
End Apart.
