(** The words of the code, as mathematics. Every theorem of this folder is about these.

    tacit.core.event.Pure          pure
    tacit.core.event.Selection     bounded_range
    tacit.core.event.Approximate   approximate
    tacit.core.relation            replace_one, add_remove, label
    tacit.core.mechanism           mechanism: the law of one release, for each data set
    tacit.mechanisms.score         mistakes
    tacit.bounds.upper.selection   pac, agnostic_pac: what "error at most alpha" promises
    tacit.bounds.upper.occam       generalises: what a bound on a rule's true error promises

    A law is a function that gives each outcome its probability. The set of outcomes may
    be infinite (noise has no largest value); [law] says that finite sums of masses never
    exceed 1 and come as near to it as one likes. An event is a finite list of distinct
    outcomes: for a law with finitely many outcomes that is every event, and for all others
    [approximate_series] carries the bound to infinite events. *)
From Coq Require Import Reals Lra List Bool Lia.
From Coquelicot Require Import Coquelicot.
From Tacit Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Section Laws.
  Context {O : Type}.

  (** Finite sums of masses. *)
  Definition partial_total (p : O -> R) (x : R) : Prop :=
    exists l, NoDup l /\ x = sum l p.

  (** A probability law: no negative mass, and the masses sum to 1. *)
  Definition law (p : O -> R) : Prop :=
    (forall o, 0 <= p o) /\ is_lub (partial_total p) 1.

  (** A law that lives on the listed outcomes. *)
  Definition finite_law (outcomes : list O) (p : O -> R) : Prop :=
    NoDup outcomes /\ (forall o, 0 <= p o) /\ (forall o, ~ In o outcomes -> p o = 0) /\
    sum outcomes p = 1.
End Laws.

(** ** Mechanisms and privacy *)
Section Privacy.
  Context {D O : Type}.

  (** [m S o] is the probability that the release on data [S] is [o]. *)
  Definition mechanism : Type := D -> O -> R.

  (** Which data sets a release must not tell apart. *)
  Variable neighbours : D -> D -> Prop.

  Definition pure (epsilon : R) (m : mechanism) : Prop :=
    forall S S', neighbours S S' -> forall o, m S o <= exp epsilon * m S' o.

  (** The logarithm of the ratio lies in one interval of length [epsilon], for all outcomes. *)
  Definition bounded_range (epsilon : R) (m : mechanism) : Prop :=
    forall S S', neighbours S S' ->
    exists a, forall o, exp a * m S' o <= m S o <= exp (a + epsilon) * m S' o.

  Definition approximate (epsilon delta : R) (m : mechanism) : Prop :=
    forall S S', neighbours S S' -> forall event, NoDup event ->
    sum event (m S) <= exp epsilon * sum event (m S') + delta.
End Privacy.
Arguments mechanism : clear implicits.

(** ** Neighbours: data sets are lists of records *)
Section Relations.
  Context {record : Type}.

  (** One record is substituted; the number of records is public. *)
  Definition replace_one (S S' : list record) : Prop :=
    exists before x x' after, S = before ++ x :: after /\ S' = before ++ x' :: after.

  (** [S'] has one record more. *)
  Definition adds_one (S S' : list record) : Prop :=
    exists before x after, S = before ++ after /\ S' = before ++ x :: after.

  (** One record comes or goes; the number of records is private. *)
  Definition add_remove (S S' : list record) : Prop := adds_one S S' \/ adds_one S' S.
End Relations.

(** One record's label changes; all features are public. *)
Definition label {X Y : Type} (S S' : list (X * Y)) : Prop :=
  exists before x y y' after, S = before ++ (x, y) :: after /\ S' = before ++ (x, y') :: after.

Definition symmetric {D : Type} (neighbours : D -> D -> Prop) : Prop :=
  forall S S', neighbours S S' -> neighbours S' S.

Lemma replace_one_symmetric {record} : symmetric (@replace_one record).
Proof. intros S S' (b & x & x' & a & H & H'). now exists b, x', x, a. Qed.

Lemma add_remove_symmetric {record} : symmetric (@add_remove record).
Proof. intros S S' H. unfold add_remove in *. tauto. Qed.

Lemma label_symmetric {X Y} : symmetric (@label X Y).
Proof. intros S S' (b & x & y & y' & a & H & H'). now exists b, x, y', y, a. Qed.

Lemma replace_one_length {record} (S S' : list record) :
  replace_one S S' -> length S = length S'.
Proof. intros (b & x & x' & a & -> & ->). rewrite !app_length. reflexivity. Qed.

(** A label that changes is a record that is replaced. *)
Theorem label_is_replace_one {X Y} (S S' : list (X * Y)) : label S S' -> replace_one S S'.
Proof. intros (b & x & y & y' & a & -> & ->). now exists b, (x, y), (x, y'), a. Qed.

(** ** Post-processing: what is done to a release without the data

    [k o o'] is the probability that [o'] is made of the release [o]; [q] is the law of what is
    made when the release has the law [p]. There may be infinitely many outcomes: the
    probability of [o'] is what the finite sums over them come as near to as one likes. *)
Definition made_by {O O' : Type} (k : O -> O' -> R) (p : O -> R) (q : O' -> R) : Prop :=
  forall o', is_lub (partial_total (fun o => p o * k o o')) (q o').

(** ** Learning *)
Section Learning.
  Context {X : Type}.

  (** 1 if the rule is wrong on the labelled example, else 0. *)
  Definition wrong (h : X -> bool) (z : X * bool) : nat :=
    if Bool.eqb (h (fst z)) (snd z) then 0 else 1.

  (** The number of mistakes on a data set (tacit.mechanisms.score.Mistakes). *)
  Definition mistakes (h : X -> bool) (S : list (X * bool)) : nat :=
    list_sum (map (wrong h) S).

  Definition empirical_error (h : X -> bool) (S : list (X * bool)) : R :=
    INR (mistakes h S) / INR (length S).

  (** The probability of a mistake on a fresh example of the law [p] on [examples]. *)
  Definition error (examples : list (X * bool)) (p : X * bool -> R) (h : X -> bool) : R :=
    sum examples (fun z => p z * INR (wrong h z)).
End Learning.

(** All data sets of [n] records from [examples], and the probability of one of them
    when its records are drawn independently by [p]. *)
Fixpoint samples {Z : Type} (examples : list Z) (n : nat) : list (list Z) :=
  match n with
  | O => [[]]
  | S k => flat_map (fun z => map (cons z) (samples examples k)) examples
  end.

Definition sample_mass {Z : Type} (p : Z -> R) (S : list Z) : R :=
  fold_right (fun z x => p z * x) 1 S.

(** The probability, over a sample of [n] records, of [event]. *)
Definition sample_probability {Z} (examples : list Z) (p : Z -> R) (n : nat)
  (event : list Z -> bool) : R :=
  sum (samples examples n) (fun S => if event S then sample_mass p S else 0).

Section PAC.
  Context {X H : Type}.

  (** [p] is a law on examples, all labelled by one rule of the class [rules]. *)
  Definition realizable (rules : list H) (predict : H -> X -> bool)
    (examples : list (X * bool)) (p : X * bool -> R) : Prop :=
    finite_law examples p /\
    exists c, In c rules /\ forall z, In z examples -> 0 < p z -> predict c (fst z) = snd z.

  (** But for probability [beta], over sample and coins, the released rule has error at most [alpha]. *)
  Definition pac (alpha beta : R) (n : nat) (rules : list H) (predict : H -> X -> bool)
    (m : mechanism (list (X * bool)) H) : Prop :=
    forall examples p, realizable rules predict examples p ->
    sum (samples examples n) (fun S => sample_mass p S *
      sum rules (fun h => if Rlt_dec alpha (error examples p (predict h)) then m S h else 0)) <= beta.

  (** The same where no rule need be right: but for probability [beta], over sample and coins, the
      released rule errs at most [alpha] more than any one rule of the class. *)
  Definition agnostic_pac (alpha beta : R) (n : nat) (rules : list H) (predict : H -> X -> bool)
    (m : mechanism (list (X * bool)) H) : Prop :=
    forall examples p, finite_law examples p -> forall h0, In h0 rules ->
    sum (samples examples n) (fun S => sample_mass p S *
      sum rules (fun h => if Rlt_dec (error examples p (predict h0) + alpha) (error examples p (predict h))
                          then m S h else 0)) <= beta.

  (** Generalisation: but for probability [beta] over the sample, every rule errs on a fresh example
      at most as often as [bound] says, which may look at the sample and at the rule. *)
  Definition generalises (beta : R) (n : nat) (rules : list H) (predict : H -> X -> bool)
    (bound : list (X * bool) -> H -> R) : Prop :=
    forall examples p, finite_law examples p ->
    sample_probability examples p n (fun S => existsb (fun h =>
      if Rlt_dec (bound S h) (error examples p (predict h)) then true else false) rules) <= beta.
End PAC.

(** ** Elementary facts *)

Lemma finite_law_law {O} (outcomes : list O) (p : O -> R) : finite_law outcomes p -> law p.
Proof.
  intros (Hd & Hp & Hz & H1). split; [assumption|]. split.
  - intros x (l & Hl & ->). rewrite <- H1.
    destruct (Rle_or_lt (sum l p) (sum outcomes p)) as [|Hlt]; [assumption|exfalso].
    assert (Hb : forall l', NoDup l' -> exists l'', NoDup l'' /\ incl l'' outcomes /\
              incl l'' l' /\ sum l' p = sum l'' p).
    { induction 1 as [|a l' Ha Hd' IH].
      - exists []. repeat split; try constructor; intros ? [].
      - destruct IH as (l'' & H2 & H3 & H3' & H4).
        destruct (Req_dec (p a) 0) as [E|E].
        + exists l''. repeat split; auto; [now apply incl_tl|]. rewrite sum_cons, E. lra.
        + assert (Hi : In a outcomes).
          { destruct (Classical_Prop.classic (In a outcomes)) as [|Hn]; [assumption|].
            now apply Hz in Hn. }
          exists (a :: l''). repeat split.
          * constructor; [|assumption]. intros Hc. apply Ha. now apply H3'.
          * intros x [->|]; auto.
          * intros x [->|]; [now left|right; auto].
          * rewrite !sum_cons. lra. }
    destruct (Hb l Hl) as (l'' & H2 & H3 & _ & H4).
    assert (sum l'' p <= sum outcomes p) by (apply sum_incl; auto). lra.
  - intros b Hb. apply Hb. now exists outcomes.
Qed.

(** On finitely many outcomes, the finite events are all events. *)
Lemma approximate_event {D O} (neighbours : D -> D -> Prop) epsilon delta (m : mechanism D O)
  (outcomes : list O) (event : O -> bool) S S' :
  NoDup outcomes -> approximate neighbours epsilon delta m -> neighbours S S' ->
  sum outcomes (fun o => if event o then m S o else 0)
  <= exp epsilon * sum outcomes (fun o => if event o then m S' o else 0) + delta.
Proof.
  intros Hd Hm Hn. rewrite <- !sum_filter. apply Hm; [assumption|]. now apply NoDup_filter.
Qed.

(** The bound for finite events gives the bound for every event whose outcomes can be listed
    one after the other. *)
Lemma approximate_series {D O} (neighbours : D -> D -> Prop) epsilon delta (m : mechanism D O)
  (event : nat -> O) S S' (x x' : R) :
  (forall i j, event i = event j -> i = j) ->
  approximate neighbours epsilon delta m -> neighbours S S' ->
  is_series (fun n => m S (event n)) x -> is_series (fun n => m S' (event n)) x' ->
  x <= exp epsilon * x' + delta.
Proof.
  intros Hinj Hm Hn Hx Hx'.
  assert (Hs : forall (f : O -> R) n, sum_n (fun k => f (event k)) n = sum (map event (seq 0 (Datatypes.S n))) f).
  { intros f. induction n as [|n IH].
    - rewrite sum_O. simpl. lra.
    - rewrite sum_Sn, IH, (seq_S (Datatypes.S n)), map_app, sum_app. simpl. unfold plus; simpl. lra. }
  assert (Hl : is_lim_seq (sum_n (fun n => m S (event n))) x) by exact Hx.
  assert (Hl' : is_lim_seq (fun n => exp epsilon * sum_n (fun n => m S' (event n)) n + delta)
                  (exp epsilon * x' + delta)).
  { apply is_lim_seq_plus'; [|apply is_lim_seq_const].
    apply (is_lim_seq_scal_l _ (exp epsilon) x'). exact Hx'. }
  refine (is_lim_seq_le _ _ x (exp epsilon * x' + delta) _ Hl Hl').
  intros n. rewrite !Hs. apply Hm; [assumption|].
  apply FinFun.Injective_map_NoDup; [exact Hinj|apply seq_NoDup].
Qed.

(** Pure privacy is approximate privacy with delta 0. *)
Lemma pure_approximate {D O} (neighbours : D -> D -> Prop) epsilon (m : mechanism D O) :
  pure neighbours epsilon m -> approximate neighbours epsilon 0 m.
Proof.
  intros H S S' Hn event _. rewrite <- sum_scal, Rplus_0_r. apply sum_le.
  intros o _. now apply H.
Qed.
