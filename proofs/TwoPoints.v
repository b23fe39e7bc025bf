(** Distributions on two values each, and the packing bound for them: what the instances of
    RarePoint.v, LabelVectors.v and PackedThresholds.v share. *)
From Coq Require Import Reals Lra List Bool Lia Arith.
From Tacit Require Import Sums Definitions Composition Groups Packing MasterBound Coupling
  PackingSpread AnyAnswers.
Import ListNotations.
Open Scope R_scope.

(** ** Laws on two values *)
Section TwoPoints.
  Context {Z : Type}.
  Variable eq_dec : forall x y : Z, {x = y} + {x <> y}.

  (** [a] with probability [q], else [b]. *)
  Definition two_points (a b : Z) (q : R) (z : Z) : R :=
    if eq_dec z a then q else if eq_dec z b then 1 - q else 0.

  Lemma two_points_sum a b q (g : Z -> R) : a <> b ->
    sum [a; b] (fun z => two_points a b q z * g z) = q * g a + (1 - q) * g b.
  Proof.
    intros Hab. simpl. unfold two_points. destruct (eq_dec a a); [|congruence].
    destruct (eq_dec b a); [congruence|]. destruct (eq_dec b b); [ring|congruence].
  Qed.

  Lemma two_points_law a b q : a <> b -> 0 <= q <= 1 -> finite_law [a; b] (two_points a b q).
  Proof.
    intros Hab Hq. repeat split.
    - repeat constructor; simpl; intuition congruence.
    - intros z. unfold two_points. destruct (eq_dec z a); [lra|]. destruct (eq_dec z b); lra.
    - intros z Hz. unfold two_points. destruct (eq_dec z a); [subst; elim Hz; now left|].
      destruct (eq_dec z b); [subst; elim Hz; right; now left|reflexivity].
    - rewrite (sum_ext _ _ (fun z => two_points a b q z * 1)) by (intros; ring).
      rewrite two_points_sum by assumption. ring.
  Qed.
End TwoPoints.

(** Alternative [i] shows [a i] with probability [q] and [b i] else; the base [a0] and [b0]. If the
    second value is the same for all, only the first one differs, else ([moves]) both do. *)
Section TwoPointPacking.
  Context {Z O I : Type}.
  Variable eq_dec : forall x y : Z, {x = y} + {x <> y}.
  Variable neighbours : list Z -> list Z -> Prop.
  Variable m : mechanism (list Z) O.
  Variables epsilon delta beta q : R.
  Variables n cost : nat.
  Variables a0 b0 : Z.
  Variables a b : I -> Z.
  Variable moves : bool.
  Variable alternatives : list I.
  Variable good : I -> O -> bool.
  Variable base_good : O -> bool.

  Definition pair_dec : forall x y : Z * Z, {x = y} + {x <> y}.
  Proof. decide equality. Defined.

  Lemma two_point_packing edge :
    (forall S, sublaw (m S)) -> 0 < epsilon -> 0 <= delta -> 0 <= q <= 1 ->
    approximate neighbours epsilon delta m ->
    alternatives <> [] -> a0 <> b0 -> (forall i, a i <> b i) ->
    (moves = false -> forall i, b i = b0) ->
    (forall i before after, within neighbours cost (before ++ a i :: after) (before ++ a0 :: after)) ->
    (moves = true -> forall i before after,
       within neighbours cost (before ++ b i :: after) (before ++ b0 :: after)) ->
    (forall i, In i alternatives ->
       at_least m n [a i; b i] (two_points eq_dec (a i) (b i) q) (good i) (1 - beta)) ->
    (forall o, one (base_good o) + sum alternatives (fun i => one (good i o)) <= 1) ->
    at_least m n [a0; b0] (two_points eq_dec a0 b0 q) base_good (1 - beta) ->
    phi n (q + (1 - q) * one moves) (INR cost * epsilon) beta edge
    <= beta / INR (length alternatives) + lost epsilon delta.
  Proof.
    intros Hlaw He Hd Hq Hpriv Hsome H0 Hab Hsame Ha Hb Hacc Hdis Hbase.
    set (both := fun i => (a0, a i)). set (rest := fun i => (b0, b i)).
    assert (Hne : forall i, both i <> rest i) by (intros i E; unfold both, rest in E; congruence).
    set (differ := fun w : Z * Z => if eq_dec (fst w) a0 then true else moves).
    apply (packed_any neighbours m epsilon delta beta (q + (1 - q) * one moves) n cost) with
      (base_examples := [a0; b0]) (base_law := two_points eq_dec a0 b0 q)
      (examples := fun i => [a i; b i]) (law_of := fun i => two_points eq_dec (a i) (b i) q)
      (pairs := fun i => [both i; rest i])
      (coupling := fun i => two_points pair_dec (both i) (rest i) q)
      (differ := fun _ => differ) (good := good) (base_good := base_good); try assumption.
    - now apply two_points_law.
    - intros i _. now apply two_points_law.
    - intros i _. now apply two_points_law.
    - intros i _ g. rewrite !two_points_sum by auto. reflexivity.
    - intros i _ g. rewrite !two_points_sum by auto. reflexivity.
    - intros i _. unfold chance. rewrite two_points_sum by auto. unfold differ, both, rest; simpl.
      destruct (eq_dec a0 a0); [|congruence]. destruct (eq_dec b0 a0); [congruence|].
      unfold one at 1. lra.
    - unfold one. destruct moves; lra.
    - intros i w _ [<-|[<-|[]]]; unfold differ, both, rest; simpl.
      + destruct (eq_dec a0 a0); [discriminate|congruence].
      + destruct (eq_dec b0 a0); [discriminate|]. intros E. symmetry. now apply Hsame.
    - intros i w _ [<-|[<-|[]]]; unfold differ, both, rest; simpl; [auto|].
      destruct (eq_dec b0 a0); [congruence|]. intros E before after. now apply Hb.
  Qed.
End TwoPointPacking.
