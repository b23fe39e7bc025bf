(** Groups of records, and persons with several rows (tacit.accounting, units).

    What is private for one record is private for [k] of them at [k] times the epsilon. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Composition.
Import ListNotations.
Open Scope R_scope.

(** ** Groups of records *)
Section Groups.
  Context {D O : Type}.
  Variable neighbours : D -> D -> Prop.

  (** [S'] is reached from [S] by [k] steps from neighbour to neighbour. *)
  Fixpoint within (k : nat) (S S' : D) : Prop :=
    match k with
    | 0%nat => S = S'
    | S j => exists T, neighbours S T /\ within j T S'
    end.

  (* code: tacit.accounting.cost.cost
     pure neighbours epsilon m <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
  Theorem group_pure epsilon (m : mechanism D O) (k : nat) :
    pure neighbours epsilon m -> pure (within k) (INR k * epsilon) m.
  Proof.
    intros Hm. induction k as [|k IH]; intros S S' H o.
    - simpl in *. subst. rewrite Rmult_0_l, exp_0. lra.
    - destruct H as (T & Hn & Hw). rewrite S_INR.
      replace ((INR k + 1) * epsilon) with (epsilon + INR k * epsilon) by ring.
      rewrite exp_plus, Rmult_assoc. eapply Rle_trans; [apply (Hm S T Hn o)|].
      apply Rmult_le_compat_l; [apply exp_ge_0|]. now apply IH.
  Qed.

  (** [delta] once for each step, multiplied by the steps before it. *)
  Fixpoint group_delta (epsilon delta : R) (k : nat) : R :=
    match k with
    | 0%nat => 0
    | S j => delta + exp epsilon * group_delta epsilon delta j
    end.

  Lemma group_delta_closed epsilon delta k : epsilon > 0 ->
    group_delta epsilon delta k = delta * ((exp (INR k * epsilon) - 1) / (exp epsilon - 1)).
  Proof.
    intros He. assert (exp epsilon - 1 <> 0).
    { assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra. }
    induction k as [|k IH]; [simpl; rewrite Rmult_0_l, exp_0; field; assumption|].
    simpl group_delta. rewrite IH, S_INR.
    replace ((INR k + 1) * epsilon) with (INR k * epsilon + epsilon) by ring.
    rewrite exp_plus. field. assumption.
  Qed.

  (* code: tacit.accounting.cost.cost
     epsilon > 0 <- requires every number is an exact rational in its range
     approximate neighbours epsilon delta m <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
  Theorem group_approximate epsilon delta (m : mechanism D O) (k : nat) :
    epsilon > 0 -> approximate neighbours epsilon delta m ->
    approximate (within k) (INR k * epsilon)
      (delta * ((exp (INR k * epsilon) - 1) / (exp epsilon - 1))) m.
  Proof.
    intros He Hm. rewrite <- (group_delta_closed epsilon delta k He). clear He.
    induction k as [|k IH]; intros S S' H event Hd.
    - simpl in *. subst. rewrite Rmult_0_l, exp_0. lra.
    - destruct H as (T & Hn & Hw). rewrite S_INR.
      replace ((INR k + 1) * epsilon) with (epsilon + INR k * epsilon) by ring.
      rewrite exp_plus, Rmult_assoc. simpl group_delta.
      eapply Rle_trans; [apply (Hm S T Hn event Hd)|].
      specialize (IH T S' Hw event Hd).
      assert (exp epsilon * sum event (m T) <= exp epsilon *
        (exp (INR k * epsilon) * sum event (m S') + group_delta epsilon delta k))
        by (apply Rmult_le_compat_l; [apply exp_ge_0|assumption]).
      lra.
  Qed.

  (** Intervals of the logarithm of the ratio add. *)
  (* code: tacit.accounting.cost.cost
     bounded_range neighbours epsilon m <- requires every charged event is true of the mechanism that was run, for every pair of neighbours under the event's relation, and whatever the earlier outputs were *)
  Theorem group_bounded_range epsilon (m : mechanism D O) (k : nat) :
    bounded_range neighbours epsilon m -> bounded_range (within k) (INR k * epsilon) m.
  Proof.
    intros Hm. induction k as [|k IH]; intros S S' H.
    - simpl in *. subst. exists 0. intros o. rewrite Rmult_0_l, Rplus_0_r, exp_0. lra.
    - destruct H as (T & Hn & Hw). destruct (Hm S T Hn) as [a Ha], (IH T S' Hw) as [b Hb].
      exists (a + b). intros o. specialize (Ha o). specialize (Hb o). rewrite S_INR.
      replace (a + b + (INR k + 1) * epsilon) with ((a + epsilon) + (b + INR k * epsilon)) by ring.
      rewrite !(exp_plus a b), (exp_plus (a + epsilon)), !Rmult_assoc. split.
      + eapply Rle_trans; [|apply Ha]. apply Rmult_le_compat_l; [apply exp_ge_0|apply Hb].
      + eapply Rle_trans; [apply Ha|]. apply Rmult_le_compat_l; [apply exp_ge_0|apply Hb].
  Qed.

  Lemma within_trans k j S T U : within k S T -> within j T U -> within (k + j) S U.
  Proof.
    revert S. induction k as [|k IH]; intros S H H'; simpl in *; [now subst|].
    destruct H as (V & Hn & Hw). exists V. split; [assumption|]. now apply IH.
  Qed.
End Groups.

(** A record that is replaced goes, and another comes: what is private for a record added or
    removed is private for one replaced, at the price of two. *)
Theorem replace_one_is_two {record} (S S' : list record) :
  replace_one S S' -> within add_remove 2 S S'.
Proof.
  intros (b & x & x' & a & -> & ->). exists (b ++ a). split; [right; now exists b, x, a|].
  exists (b ++ x' :: a). split; [left; now exists b, x', a|reflexivity].
Qed.

(** ** Persons

    A data set is a list of persons, each with a list of rows. [keep] looks at one person's
    rows and keeps at most [limit] of them; the mechanism sees the kept rows of all persons. *)
Section Persons.
  Context {row O : Type}.
  Variable keep : list row -> list row.
  Variable limit : nat.
  Variable m : mechanism (list row) O.

  Definition by_person : mechanism (list (list row)) O := fun persons => m (flat_map keep persons).

  (** A record is substituted, comes or goes. *)
  Definition edits (S S' : list row) : Prop := replace_one S S' \/ add_remove S S'.

  (** A mechanism that is private under both relations is private for edits. *)
  Lemma pure_edits epsilon :
    pure replace_one epsilon m -> pure add_remove epsilon m -> pure edits epsilon m.
  Proof. intros H H' S S' [E|E] o; auto. Qed.

  (** Rows of one person for rows of another: as many steps as the longer list has rows. *)
  Lemma edits_between (rows rows' : list row) before after :
    within edits (Nat.max (length rows) (length rows'))
      (before ++ rows ++ after) (before ++ rows' ++ after).
  Proof.
    revert rows' before. induction rows as [|x rows IH]; intros rows' before.
    - simpl length. rewrite Nat.max_0_l. revert before.
      induction rows' as [|x' rows' IH']; intros before; [reflexivity|].
      exists (before ++ [x'] ++ after). split.
      + right; left. exists before, x', after. split; reflexivity.
      + specialize (IH' (before ++ [x'])). rewrite <- !app_assoc in IH'. exact IH'.
    - destruct rows' as [|x' rows'].
      + specialize (IH [] before). simpl length in *. rewrite Nat.max_0_r in *.
        exists (before ++ rows ++ after). split; [|exact IH].
        right; right. exists before, x, (rows ++ after). split; reflexivity.
      + exists (before ++ [x'] ++ rows ++ after). split.
        * left. exists before, x, x', (rows ++ after). split; reflexivity.
        * specialize (IH rows' (before ++ [x'])). rewrite <- !app_assoc in IH. exact IH.
  Qed.

  Lemma adds_between (rows : list row) before after :
    within add_remove (length rows) (before ++ after) (before ++ rows ++ after) /\
    within add_remove (length rows) (before ++ rows ++ after) (before ++ after).
  Proof.
    revert before. induction rows as [|x rows IH]; intros before; [split; reflexivity|].
    destruct (IH (before ++ [x])) as [Hto Hfrom], (IH before) as [_ Hback].
    rewrite <- !app_assoc in *. split.
    - exists (before ++ [x] ++ after). split; [|exact Hto].
      left. exists before, x, after. split; reflexivity.
    - exists (before ++ rows ++ after). split; [|exact Hback].
      right. exists before, x, (rows ++ after). split; reflexivity.
  Qed.

  Lemma grown epsilon (k : nat) : 0 <= epsilon -> (k <= limit)%nat ->
    exp (INR k * epsilon) <= exp (INR limit * epsilon).
  Proof.
    intros He Hk. assert (INR k * epsilon <= INR limit * epsilon).
    { apply Rmult_le_compat_r; [assumption|]. now apply le_INR. }
    destruct H as [H|H]; [left; now apply exp_increasing|right; now rewrite H].
  Qed.

  Hypothesis kept : forall rows, (length (keep rows) <= limit)%nat.
  Hypothesis nonnegative : forall S o, 0 <= m S o.

  (** A person is replaced by another one: their number is public. *)
  Theorem unit_replace epsilon : 0 <= epsilon ->
    pure edits epsilon m -> pure replace_one (INR limit * epsilon) by_person.
  Proof.
    intros He Hm S S' (b & p & p' & a & -> & ->) o. unfold by_person.
    rewrite !flat_map_app. simpl flat_map.
    set (k := Nat.max (length (keep p)) (length (keep p'))).
    apply Rle_trans with (exp (INR k * epsilon) *
      m (flat_map keep b ++ keep p' ++ flat_map keep a) o).
    - apply (group_pure edits epsilon m k Hm). apply edits_between.
    - apply Rmult_le_compat_r; [apply nonnegative|]. apply grown; [assumption|].
      unfold k. apply Nat.max_lub; apply kept.
  Qed.

  (** What [k] rows cost is no more than what [limit] rows cost. *)
  Lemma grown_approximate epsilon delta (k : nat) T event : 0 < epsilon -> 0 <= delta ->
    (k <= limit)%nat ->
    exp (INR k * epsilon) * sum event (m T)
      + delta * ((exp (INR k * epsilon) - 1) / (exp epsilon - 1))
    <= exp (INR limit * epsilon) * sum event (m T)
      + delta * ((exp (INR limit * epsilon) - 1) / (exp epsilon - 1)).
  Proof.
    intros He Hd Hk. assert (G := grown epsilon k (Rlt_le _ _ He) Hk).
    assert (0 < exp epsilon - 1).
    { assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *. lra. }
    assert (0 <= sum event (m T)) by (apply sum_nonneg; intros; apply nonnegative).
    apply Rplus_le_compat; [now apply Rmult_le_compat_r|].
    apply Rmult_le_compat_l; [assumption|]. unfold Rdiv.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra].
  Qed.

  Theorem unit_replace_approximate epsilon delta : 0 < epsilon -> 0 <= delta ->
    approximate edits epsilon delta m ->
    approximate replace_one (INR limit * epsilon)
      (delta * ((exp (INR limit * epsilon) - 1) / (exp epsilon - 1))) by_person.
  Proof.
    intros He Hd Hm S S' (b & p & p' & a & -> & ->) event Hn. unfold by_person.
    rewrite !flat_map_app. simpl flat_map.
    set (k := Nat.max (length (keep p)) (length (keep p'))).
    eapply Rle_trans; [|apply (grown_approximate epsilon delta k); try assumption].
    - apply (group_approximate edits epsilon delta m k He Hm); [apply edits_between|assumption].
    - unfold k. apply Nat.max_lub; apply kept.
  Qed.

  (** A person comes or goes: their number is private. *)
  (* code: tacit.mechanisms.persons.ForPersons
     forall rows, (length (keep rows) <= limit)%nat <- object tacit.domains.persons.kept_rows: Which rows are kept: of every person at most ``rows``, person after person.
     forall S o, 0 <= m S o <- requires draws its output from a probability law
     0 <= epsilon <- check positive(epsilon) in tacit.core.event.Pure
     pure add_remove epsilon m <- requires the inner event is stated under `row_relation(relation, rows)` *)
  Theorem unit_add_remove epsilon : 0 <= epsilon ->
    pure add_remove epsilon m -> pure add_remove (INR limit * epsilon) by_person.
  Proof.
    intros He Hm S S' H o. unfold by_person.
    destruct H as [(b & p & a & -> & ->)|(b & p & a & -> & ->)];
      rewrite !flat_map_app; simpl flat_map;
      (eapply Rle_trans; [apply (group_pure add_remove epsilon m (length (keep p)) Hm), adds_between|
         apply Rmult_le_compat_r; [apply nonnegative|]; apply grown; [assumption|apply kept]]).
  Qed.

  (* code: tacit.mechanisms.persons.ForPersons
     forall rows, (length (keep rows) <= limit)%nat <- object tacit.domains.persons.kept_rows: Which rows are kept: of every person at most ``rows``, person after person.
     forall S o, 0 <= m S o <- requires draws its output from a probability law
     0 < epsilon <- check positive(epsilon) in tacit.core.event.Approximate
     0 <= delta <- check probability(delta) in tacit.core.event.Approximate
     approximate add_remove epsilon delta m <- requires the inner event is stated under `row_relation(relation, rows)` *)
  Theorem unit_add_remove_approximate epsilon delta : 0 < epsilon -> 0 <= delta ->
    approximate add_remove epsilon delta m ->
    approximate add_remove (INR limit * epsilon)
      (delta * ((exp (INR limit * epsilon) - 1) / (exp epsilon - 1))) by_person.
  Proof.
    intros He Hd Hm S S' H event Hn. unfold by_person.
    destruct H as [(b & p & a & -> & ->)|(b & p & a & -> & ->)];
      rewrite !flat_map_app; simpl flat_map;
      (eapply Rle_trans; [|apply (grown_approximate epsilon delta (length (keep p))); try assumption; apply kept];
       apply (group_approximate add_remove epsilon delta m (length (keep p)) He Hm);
         [apply adds_between|assumption]).
  Qed.

  (* code: tacit.mechanisms.persons.ForPersons
     forall rows, (length (keep rows) <= limit)%nat <- object tacit.domains.persons.kept_rows: Which rows are kept: of every person at most ``rows``, person after person.
     forall S o, 0 <= m S o <- requires draws its output from a probability law
     0 <= epsilon <- check positive(epsilon) in tacit.core.event.Selection
     bounded_range add_remove epsilon m <- requires the inner event is stated under `row_relation(relation, rows)` *)
  Theorem unit_bounded_range epsilon : 0 <= epsilon ->
    bounded_range add_remove epsilon m -> bounded_range add_remove (INR limit * epsilon) by_person.
  Proof.
    intros He Hm S S' H. unfold by_person.
    assert (W : exists k, (k <= limit)%nat /\ within add_remove k (flat_map keep S) (flat_map keep S')).
    { destruct H as [(b & p & a & -> & ->)|(b & p & a & -> & ->)]; exists (length (keep p));
        (split; [apply kept|]); rewrite !flat_map_app; simpl flat_map; apply adds_between. }
    destruct W as (k & Hk & Hw). destruct (group_bounded_range add_remove epsilon m k Hm _ _ Hw) as [c Hc].
    exists c. intros o. destruct (Hc o) as [Hlow Hhigh]. split; [assumption|].
    eapply Rle_trans; [exact Hhigh|]. apply Rmult_le_compat_r; [apply nonnegative|].
    rewrite !exp_plus. apply Rmult_le_compat_l; [apply exp_ge_0|]. now apply grown.
  Qed.

  (** A person is replaced: one goes, and another comes. The rows are added and removed. *)
  (* code: tacit.mechanisms.persons.ForPersons
     forall rows, (length (keep rows) <= limit)%nat <- object tacit.domains.persons.kept_rows: Which rows are kept: of every person at most ``rows``, person after person.
     forall S o, 0 <= m S o <- requires draws its output from a probability law
     0 <= epsilon <- check positive(epsilon) in tacit.core.event.Pure
     pure add_remove epsilon m <- requires the inner event is stated under `row_relation(relation, rows)` *)
  Theorem unit_replace_twice epsilon : 0 <= epsilon ->
    pure add_remove epsilon m -> pure replace_one (INR (2 * limit) * epsilon) by_person.
  Proof.
    intros He Hm S S' Hn o. apply replace_one_is_two in Hn.
    pose proof (group_pure add_remove _ by_person 2 (unit_add_remove epsilon He Hm) S S' Hn o) as G.
    now rewrite <- Rmult_assoc, <- mult_INR in G.
  Qed.

  (** The same for selections. *)
  (* code: tacit.mechanisms.persons.ForPersons
     forall rows, (length (keep rows) <= limit)%nat <- object tacit.domains.persons.kept_rows: Which rows are kept: of every person at most ``rows``, person after person.
     forall S o, 0 <= m S o <- requires draws its output from a probability law
     0 <= epsilon <- check positive(epsilon) in tacit.core.event.Selection
     bounded_range add_remove epsilon m <- requires the inner event is stated under `row_relation(relation, rows)` *)
  Theorem unit_replace_twice_bounded_range epsilon : 0 <= epsilon ->
    bounded_range add_remove epsilon m ->
    bounded_range replace_one (INR (2 * limit) * epsilon) by_person.
  Proof.
    intros He Hm S S' Hn. apply replace_one_is_two in Hn.
    pose proof (group_bounded_range add_remove _ by_person 2 (unit_bounded_range epsilon He Hm) S S' Hn) as G.
    now rewrite <- Rmult_assoc, <- mult_INR in G.
  Qed.

  (* code: tacit.mechanisms.persons.ForPersons
     forall rows, (length (keep rows) <= limit)%nat <- object tacit.domains.persons.kept_rows: Which rows are kept: of every person at most ``rows``, person after person.
     forall S o, 0 <= m S o <- requires draws its output from a probability law
     0 < epsilon <- check positive(epsilon) in tacit.core.event.Approximate
     0 <= delta <- check probability(delta) in tacit.core.event.Approximate
     approximate add_remove epsilon delta m <- requires the inner event is stated under `row_relation(relation, rows)` *)
  Theorem unit_replace_twice_approximate epsilon delta : 0 < epsilon -> 0 <= delta ->
    approximate add_remove epsilon delta m ->
    approximate replace_one (INR (2 * limit) * epsilon)
      (delta * ((exp (INR (2 * limit) * epsilon) - 1) / (exp epsilon - 1))) by_person.
  Proof.
    intros He Hd Hm S S' Hn event Hev. destruct (Nat.eq_dec limit 0) as [El|El].
    { assert (K : forall l, flat_map keep l = []).
      { induction l as [|p l IH]; [reflexivity|]. cbn. rewrite IH, app_nil_r.
        destruct (keep p) as [|r rest] eqn:Ek; [reflexivity|]. pose proof (kept p) as L.
        rewrite Ek, El in L. cbn in L. lia. }
      unfold by_person. rewrite !K, El. cbn [Nat.mul INR]. rewrite Rmult_0_l, exp_0. unfold Rdiv. lra. }
    assert (Hl : (0 < limit)%nat) by lia. apply replace_one_is_two in Hn.
    assert (Hle : 0 < INR limit * epsilon) by (apply Rmult_lt_0_compat; [now apply lt_0_INR|assumption]).
    pose proof (group_approximate add_remove _ _ by_person 2 Hle
      (unit_add_remove_approximate epsilon delta He Hd Hm) S S' Hn event Hev) as G.
    rewrite <- Rmult_assoc, <- mult_INR in G.
    assert (Above : forall y, 0 < y -> 0 < exp y - 1).
    { intros y Hy. assert (exp 0 < exp y) by now apply exp_increasing. rewrite exp_0 in *. lra. }
    pose proof (Above _ He). pose proof (Above _ Hle).
    eapply Rle_trans; [exact G|]. right. f_equal. field. lra.
  Qed.
End Persons.

(** ** One row of each person: a person is a record *)

(** A person with rows is replaced by another one with rows. *)
Definition replace_person {row} (S S' : list (list row)) : Prop :=
  exists before p p' after, p <> [] /\ p' <> [] /\
  S = before ++ p :: after /\ S' = before ++ p' :: after.

(* code: tacit.mechanisms.persons.ForPersons
   (forall p, p <> [] -> exists x, keep p = [x]) <- object tacit.domains.persons.kept_rows: Which rows are kept: of every person at most ``rows``, person after person. *)
Theorem unit_one_row {row O} (keep : list row -> list row) (m : mechanism (list row) O) epsilon delta :
  (forall p, p <> [] -> exists x, keep p = [x]) ->
  (pure replace_one epsilon m -> pure replace_person epsilon (by_person keep m)) /\
  (bounded_range replace_one epsilon m -> bounded_range replace_person epsilon (by_person keep m)) /\
  (approximate replace_one epsilon delta m -> approximate replace_person epsilon delta (by_person keep m)).
Proof.
  intros Hk.
  assert (R : forall S S', replace_person S S' -> replace_one (flat_map keep S) (flat_map keep S')).
  { intros S S' (b & p & p' & a & Hp & Hp' & -> & ->). rewrite !flat_map_app. simpl flat_map.
    destruct (Hk p Hp) as [x ->], (Hk p' Hp') as [x' ->].
    now exists (flat_map keep b), x, x', (flat_map keep a). }
  split; [|split]; intros Hm S S' H; exact (Hm _ _ (R S S' H)).
Qed.

(** All labels of one person may change; the features stay. *)
Definition relabel_person {X Y} (S S' : list (list (X * Y))) : Prop :=
  exists before p p' after, p <> [] /\ map fst p = map fst p' /\
  S = before ++ p :: after /\ S' = before ++ p' :: after.

(* code: tacit.mechanisms.persons.ForPersons
   (forall p p', p <> [] -> map fst p = map fst p' -> exists x y y', keep p = [(x, y)] /\ keep p' = [(x, y')]) <- object tacit.domains.persons.kept_rows: which places of that order are kept is told by a public salt, the id and the place alone. *)
Theorem unit_one_row_label {X Y O} (keep : list (X * Y) -> list (X * Y))
  (m : mechanism (list (X * Y)) O) epsilon delta :
  (forall p p', p <> [] -> map fst p = map fst p' ->
     exists x y y', keep p = [(x, y)] /\ keep p' = [(x, y')]) ->
  (pure label epsilon m -> pure relabel_person epsilon (by_person keep m)) /\
  (bounded_range label epsilon m -> bounded_range relabel_person epsilon (by_person keep m)) /\
  (approximate label epsilon delta m -> approximate relabel_person epsilon delta (by_person keep m)).
Proof.
  intros Hk.
  assert (R : forall S S', relabel_person S S' -> label (flat_map keep S) (flat_map keep S')).
  { intros S S' (b & p & p' & a & Hp & Hf & -> & ->). rewrite !flat_map_app. simpl flat_map.
    destruct (Hk p p' Hp Hf) as (x & y & y' & -> & ->).
    now exists (flat_map keep b), x, y, y', (flat_map keep a). }
  split; [|split]; intros Hm S S' H; exact (Hm _ _ (R S S' H)).
Qed.
