(** How promises travel through several releases (tacit.accounting.composition).

    The outcome of a step may decide what the next step does; the costs may not. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions.
Import ListNotations.
Open Scope R_scope.

Lemma exp_ge_0 x : 0 <= exp x.
Proof. apply Rlt_le, exp_pos. Qed.

(** ** Laws, as far as composition needs them *)

(** No negative mass, and no event above 1. Every [law] is one. *)
Definition sublaw {O : Type} (p : O -> R) : Prop :=
  (forall o, 0 <= p o) /\ forall event, NoDup event -> sum event p <= 1.

Lemma law_sublaw {O} (p : O -> R) : law p -> sublaw p.
Proof.
  intros [H0 [H1 _]]. split; [assumption|]. intros l Hl. apply H1. now exists l.
Qed.

(** ** From events to tests

    What holds for all events holds for every function with values in [0, 1]. *)
Lemma approximate_test {D O} (neighbours : D -> D -> Prop) epsilon delta (m : mechanism D O)
  outcomes (f : O -> R) S S' :
  NoDup outcomes -> approximate neighbours epsilon delta m -> neighbours S S' ->
  (forall o, In o outcomes -> 0 <= f o <= 1) ->
  sum outcomes (fun o => m S o * f o)
  <= exp epsilon * sum outcomes (fun o => m S' o * f o) + delta.
Proof.
  intros Hd Hm Hn Hf.
  set (above := fun o => if Rlt_dec (exp epsilon * m S' o) (m S o) then true else false).
  pose proof (approximate_event neighbours epsilon delta m outcomes above S S' Hd Hm Hn) as He.
  assert (H : sum outcomes (fun o => m S o * f o) - exp epsilon * sum outcomes (fun o => m S' o * f o)
    <= sum outcomes (fun o => if above o then m S o else 0)
       - exp epsilon * sum outcomes (fun o => if above o then m S' o else 0)).
  { rewrite <- !sum_scal, <- !sum_minus. apply sum_le. intros o Ho.
    specialize (Hf o Ho). unfold above. destruct (Rlt_dec _ _) as [L|L].
    - assert (0 <= (m S o - exp epsilon * m S' o) * (1 - f o)) by (apply Rmult_le_pos; lra). lra.
    - assert (0 <= (exp epsilon * m S' o - m S o) * f o) by (apply Rmult_le_pos; lra). lra. }
  lra.
Qed.

(** ** Two releases, the second chosen after the first was seen *)

Definition compose {D A B : Type} (first : mechanism D A) (second : A -> mechanism D B)
  : mechanism D (A * B) :=
  fun S ab => first S (fst ab) * second (fst ab) S (snd ab).

(* code: tacit.accounting.composition.total
   (forall S a, 0 <= first S a) <- requires every mechanism draws its output from a probability law
   (forall a S b, 0 <= second a S b) <- requires every mechanism draws its output from a probability law
   pure neighbours epsilon1 first <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were
   (forall a, pure neighbours epsilon2 (second a)) <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
Theorem composition_pure {D A B} (neighbours : D -> D -> Prop) epsilon1 epsilon2
  (first : mechanism D A) (second : A -> mechanism D B) :
  (forall S a, 0 <= first S a) -> (forall a S b, 0 <= second a S b) ->
  pure neighbours epsilon1 first ->
  (forall a, pure neighbours epsilon2 (second a)) ->
  pure neighbours (epsilon1 + epsilon2) (compose first second).
Proof.
  intros H1 H2 Hf Hs S S' Hn [a b]. unfold compose; simpl. rewrite exp_plus.
  replace (exp epsilon1 * exp epsilon2 * (first S' a * second a S' b))
    with ((exp epsilon1 * first S' a) * (exp epsilon2 * second a S' b)) by ring.
  apply Rmult_le_compat; auto. now apply Hs.
Qed.

Section Grouping.
  Context {A B : Type}.
  Variable equal : forall a a' : A, {a = a'} + {a <> a'}.

  (** What the event asks of the second outcome when the first one is [a]. *)
  Definition seconds (event : list (A * B)) (a : A) : list B :=
    map snd (filter (fun ab => if equal (fst ab) a then true else false) event).

  Definition firsts (event : list (A * B)) : list A := nodup equal (map fst event).

  Lemma seconds_in event a b : In b (seconds event a) <-> In (a, b) event.
  Proof.
    unfold seconds. rewrite in_map_iff. split.
    - intros ((a', b') & E & Hin). simpl in E; subst b'. apply filter_In in Hin.
      destruct Hin as [Hin E]. simpl in E. destruct (equal a' a); [now subst|discriminate].
    - intros Hin. exists (a, b). split; [reflexivity|]. apply filter_In. split; [assumption|].
      simpl. now destruct (equal a a).
  Qed.

  Lemma seconds_nodup event a : NoDup event -> NoDup (seconds event a).
  Proof.
    unfold seconds. induction 1 as [|[a' b'] l Hx Hd IH]; simpl; [constructor|].
    destruct (equal a' a) as [->|]; simpl; [|assumption].
    constructor; [|assumption]. intros Hin. apply Hx. now apply seconds_in.
  Qed.

  Lemma sum_indicator (l : list A) (a : A) (c : R) :
    NoDup l -> In a l -> sum l (fun x => if equal a x then c else 0) = c.
  Proof.
    induction 1 as [|x l Hx Hd IH]; simpl; [contradiction|]. intros Hin.
    destruct (equal a x) as [->|n].
    - rewrite sum_zero; [lra|]. intros y Hy. destruct (equal x y) as [->|]; [contradiction|reflexivity].
    - destruct Hin as [->|Hin]; [congruence|]. rewrite IH by assumption. lra.
  Qed.

  Lemma sum_grouped event (g : A -> B -> R) :
    sum event (fun ab => g (fst ab) (snd ab))
    = sum (firsts event) (fun a => sum (seconds event a) (g a)).
  Proof.
    assert (H : forall l e, NoDup l -> incl (map fst e) l ->
              sum e (fun ab => g (fst ab) (snd ab)) = sum l (fun a => sum (seconds e a) (g a))).
    { intros l e Hl. induction e as [|[a b] e IH]; intros Hi.
      - symmetry. now apply sum_zero.
      - rewrite sum_cons, IH by (intros x Hx; apply Hi; now right). simpl fst; simpl snd.
        rewrite <- (sum_indicator l a (g a b) Hl) by (apply Hi; now left).
        rewrite <- sum_plus. apply sum_ext. intros x _. unfold seconds; simpl.
        destruct (equal a x) as [->|]; simpl; lra. }
    apply H; [apply NoDup_nodup|]. intros x Hx. unfold firsts. now apply nodup_In.
  Qed.
End Grouping.

(* code: tacit.accounting.composition.total
   (forall a a' : A, {a = a'} + {a <> a'}) <- requires outputs are values that can be compared
   (forall S, sublaw (first S)) <- requires every mechanism draws its output from a probability law
   (forall a S, sublaw (second a S)) <- requires every mechanism draws its output from a probability law
   0 <= delta2 <- requires every number is an exact rational in its range
   approximate neighbours epsilon1 delta1 first <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were
   (forall a, approximate neighbours epsilon2 delta2 (second a)) <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
Theorem composition_approximate {D A B} (neighbours : D -> D -> Prop)
  epsilon1 delta1 epsilon2 delta2 (first : mechanism D A) (second : A -> mechanism D B) :
  (forall a a' : A, {a = a'} + {a <> a'}) ->
  (forall S, sublaw (first S)) -> (forall a S, sublaw (second a S)) ->
  0 <= delta2 ->
  approximate neighbours epsilon1 delta1 first ->
  (forall a, approximate neighbours epsilon2 delta2 (second a)) ->
  approximate neighbours (epsilon1 + epsilon2) (delta1 + delta2) (compose first second).
Proof.
  intros equal H1 H2 Hd2 Hf Hs S S' Hn event He.
  assert (Hg : forall T, sum event (compose first second T)
     = sum (firsts equal event) (fun a => first T a * sum (seconds equal event a) (second a T))).
  { intros T. unfold compose.
    rewrite (sum_grouped equal event (fun a b => first T a * second a T b)).
    apply sum_ext. intros a _. now rewrite sum_scal. }
  rewrite !Hg. set (l := firsts equal event).
  assert (Hl : NoDup l) by apply NoDup_nodup.
  set (P := fun T a => sum (seconds equal event a) (second a T)).
  assert (HP : forall T a, 0 <= P T a <= 1).
  { intros T a. destruct (H2 a T) as [G0 G1]. split.
    - apply sum_nonneg. intros; apply G0.
    - apply G1. now apply seconds_nodup. }
  change (sum l (fun a => first S a * P S a)
          <= exp (epsilon1 + epsilon2) * sum l (fun a => first S' a * P S' a) + (delta1 + delta2)).
  set (f := fun a => Rmin 1 (exp epsilon2 * P S' a)).
  assert (Hf01 : forall a, 0 <= f a <= 1).
  { intros a. unfold f. split; [|apply Rmin_l].
    apply Rmin_glb; [lra|]. apply Rmult_le_pos; [apply exp_ge_0|apply HP]. }
  assert (Hstep : forall a, P S a <= f a + delta2).
  { intros a. unfold f. apply Rmin_case.
    - destruct (HP S a). lra.
    - apply (Hs a S S' Hn). now apply seconds_nodup. }
  assert (I1 : sum l (fun a => first S a * P S a) <= sum l (fun a => first S a * f a) + delta2).
  { apply Rle_trans with (sum l (fun a => first S a * f a + delta2 * first S a)).
    - apply sum_le. intros a _. specialize (Hstep a).
      assert (first S a * P S a <= first S a * (f a + delta2)); [|lra].
      apply Rmult_le_compat_l; [apply (H1 S)|assumption].
    - rewrite sum_plus, sum_scal. destruct (H1 S) as [_ G1]. specialize (G1 l Hl).
      assert (delta2 * sum l (first S) <= delta2 * 1); [|lra].
      apply Rmult_le_compat_l; assumption. }
  assert (I2 := approximate_test neighbours epsilon1 delta1 first l f S S' Hl Hf Hn
                  (fun a _ => Hf01 a)).
  assert (I3 : sum l (fun a => first S' a * f a) <= exp epsilon2 * sum l (fun a => first S' a * P S' a)).
  { rewrite <- sum_scal. apply sum_le. intros a _.
    replace (exp epsilon2 * (first S' a * P S' a)) with (first S' a * (exp epsilon2 * P S' a)) by ring.
    apply Rmult_le_compat_l; [apply (H1 S')|apply Rmin_r]. }
  rewrite exp_plus.
  assert (exp epsilon1 * sum l (fun a => first S' a * f a)
          <= exp epsilon1 * (exp epsilon2 * sum l (fun a => first S' a * P S' a))).
  { apply Rmult_le_compat_l; [apply exp_ge_0|assumption]. }
  lra.
Qed.

Lemma compose_sublaw {D A B} (first : mechanism D A) (second : A -> mechanism D B) S :
  (forall a a' : A, {a = a'} + {a <> a'}) ->
  sublaw (first S) -> (forall a, sublaw (second a S)) -> sublaw (compose first second S).
Proof.
  intros equal [H0 H1] H2. split.
  - intros [a b]. unfold compose; simpl. apply Rmult_le_pos; [apply H0|apply (H2 a)].
  - intros event He. unfold compose.
    rewrite (sum_grouped equal event (fun a b => first S a * second a S b)).
    apply Rle_trans with (sum (firsts equal event) (first S)); [|apply H1, NoDup_nodup].
    apply sum_le. intros a _. rewrite sum_scal.
    assert (sum (seconds equal event a) (second a S) <= 1)
      by (apply (H2 a); now apply seconds_nodup).
    rewrite <- (Rmult_1_r (first S a)) at 2. apply Rmult_le_compat_l; [apply H0|assumption].
Qed.

(** ** Any number of releases, each chosen after the earlier ones were seen

    A step reads the outcomes so far. [run steps history] is the law of all later outcomes. *)
Section Run.
  Context {D A : Type}.
  Variable equal : forall a a' : A, {a = a'} + {a <> a'}.
  Variable neighbours : D -> D -> Prop.

  Fixpoint run (steps : list (list A -> mechanism D A)) (history : list A)
    : mechanism D (list A) :=
    fun S outcomes =>
    match steps, outcomes with
    | [], [] => 1
    | step :: rest, o :: os => step history S o * run rest (history ++ [o]) S os
    | _, _ => 0
    end.

  (** The outcomes of the event that are not empty, as first and rest. *)
  Fixpoint unconsed (event : list (list A)) : list (A * list A) :=
    match event with
    | [] => []
    | [] :: more => unconsed more
    | (o :: os) :: more => (o, os) :: unconsed more
    end.

  Lemma unconsed_in event o os : In (o, os) (unconsed event) <-> In (o :: os) event.
  Proof.
    induction event as [|[|o' os'] more IH]; simpl; [tauto| |].
    - rewrite IH. split; [tauto|]. intros [|]; [discriminate|assumption].
    - rewrite IH. split; (intros [E|]; [left; congruence|now right]).
  Qed.

  Lemma unconsed_nodup event : NoDup event -> NoDup (unconsed event).
  Proof.
    induction 1 as [|[|o os] more Hx Hd IH]; simpl; [constructor|assumption|].
    constructor; [|assumption]. now rewrite unconsed_in.
  Qed.

  Lemma run_cons step rest history S event :
    sum event (run (step :: rest) history S)
    = sum (unconsed event) (compose (step history) (fun o => run rest (history ++ [o])) S).
  Proof.
    induction event as [|[|o os] more IH]; [reflexivity| |].
    - rewrite sum_cons, IH. simpl. lra.
    - simpl unconsed. now rewrite !sum_cons, IH.
  Qed.

  Lemma run_nil_event history S (event : list (list A)) : NoDup event ->
    0 <= sum event (run [] history S) <= 1.
  Proof.
    assert (Hz : forall l, ~ In [] l -> sum l (run [] history S) = 0).
    { intros l Hl. apply sum_zero. intros [|o os] Hin; [contradiction|reflexivity]. }
    induction 1 as [|[|o os] more Hx Hd IH]; rewrite ?sum_cons.
    - simpl; lra.
    - rewrite Hz by assumption. simpl; lra.
    - simpl (run [] history S (o :: os)). lra.
  Qed.

  Lemma run_sublaw steps history S :
    (forall step h, In step steps -> sublaw (step h S)) -> sublaw (run steps history S).
  Proof.
    revert history. induction steps as [|step rest IH]; intros history H.
    - split; [intros [|o os]; simpl; lra|]. intros event He. now apply run_nil_event.
    - assert (Hc : sublaw (compose (step history) (fun o => run rest (history ++ [o])) S)).
      { apply compose_sublaw; [assumption| |].
        - apply H. now left.
        - intros a. apply IH. intros s h Hs. apply H. now right. }
      destruct Hc as [C0 C1]. split.
      + intros [|o os]; [simpl; lra|]. apply (C0 (o, os)).
      + intros event He. rewrite run_cons. apply C1. now apply unconsed_nodup.
  Qed.

  (** Basic adaptive composition: epsilons add, deltas add. *)
  (* code: tacit.accounting.composition.total
     Forall2 (fun step cost => 0 <= snd cost /\ forall h, (forall S, sublaw (step h S)) /\ approximate neighbours (fst cost) (snd cost) (step h)) steps costs <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
  Theorem adaptive_composition (steps : list (list A -> mechanism D A)) (costs : list (R * R)) history :
    Forall2 (fun step cost => 0 <= snd cost /\ forall h,
               (forall S, sublaw (step h S)) /\
               approximate neighbours (fst cost) (snd cost) (step h)) steps costs ->
    approximate neighbours (sum costs fst) (sum costs snd) (run steps history).
  Proof.
    intros H. revert history. induction H as [|step cost steps costs [Hd Hs] Hrest IH]; intros history.
    - intros S S' _ event He. simpl sum at 2. rewrite exp_0, Rmult_1_l. simpl sum at 3.
      rewrite Rplus_0_r. right. apply sum_ext. now intros [|o os] _.
    - intros S S' Hn event He. rewrite !run_cons, !sum_cons.
      apply (composition_approximate neighbours); try assumption.
      + intros T. apply Hs.
      + intros a T. apply run_sublaw. intros s h Hin.
        clear IH. induction Hrest as [|s' c' ss cs [_ Hs'] _ IHr]; [contradiction|].
        destruct Hin as [->|Hin]; [apply Hs'|now apply IHr].
      + clear - Hrest. induction Hrest as [|s' c' ss cs [Hd' _] _ IHr]; simpl; [lra|].
        apply Rplus_le_le_0_compat; assumption.
      + apply Hs.
      + intros a. apply IH.
      + now apply unconsed_nodup.
  Qed.

  (** The same without deltas, outcome by outcome. *)
  (* code: tacit.accounting.composition.total
     Forall2 (fun step cost => forall h, (forall S o, 0 <= step h S o) /\ pure neighbours cost (step h)) steps costs <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
  Theorem adaptive_composition_pure (steps : list (list A -> mechanism D A)) (costs : list R) history :
    Forall2 (fun step cost => forall h,
               (forall S o, 0 <= step h S o) /\ pure neighbours cost (step h)) steps costs ->
    pure neighbours (sum costs (fun e => e)) (run steps history).
  Proof.
    intros H.
    assert (G : forall h S o, 0 <= run steps h S o).
    { induction H as [|step cost steps costs Hs _ IH]; intros h S [|o os]; simpl; try lra.
      apply Rmult_le_pos; [apply Hs|apply IH]. }
    revert history. induction H as [|step cost steps costs Hs Hrest IH]; intros history S S' Hn outcomes.
    - simpl sum. rewrite exp_0, Rmult_1_l. destruct outcomes; simpl; lra.
    - assert (G' : forall h S o, 0 <= run steps h S o).
      { clear - Hrest. induction Hrest as [|step' cost' steps costs Hs _ IH]; intros h S [|o os]; simpl; try lra.
        apply Rmult_le_pos; [apply Hs|apply IH]. }
      destruct outcomes as [|o os]; [simpl; lra|]. rewrite sum_cons.
      apply (composition_pure neighbours cost (sum costs (fun e => e)) (step history)
               (fun o => run steps (history ++ [o]))) with (o := (o, os)); try assumption.
      + apply Hs.
      + intros a T. apply G'.
      + apply Hs.
      + intros a. now apply IH.
  Qed.
End Run.
