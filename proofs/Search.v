(** Searching an order by counts: tacit.tallies.ordered. Some values are listed with their errors;
    all others stand in blocks, each with a number that is not above the error of any of its
    values. A block that may matter is refined: its values are listed or stand in smaller blocks. *)
From Coq Require Import Reals Lra List Bool Lia ZArith Permutation.
From Tacit Require Import Sums Definitions.
Import ListNotations.
Open Scope R_scope.

Section Search.
  Context {C : Type}.
  Variable err : C -> Z.
  Variable values : list C.

  (** A block: its bound, and its values. *)
  Definition bounded (b : Z * list C) : Prop := forall v, In v (snd b) -> (fst b <= err v)%Z.

  (** What is listed and what is left, after any number of refinements in any order. *)
  Inductive search : list C -> list (Z * list C) -> Prop :=
  | first_pass listed blocks :
      Permutation (listed ++ flat_map snd blocks) values -> Forall bounded blocks ->
      search listed blocks
  | refined listed before b after news children :
      search listed (before ++ b :: after) ->
      Permutation (news ++ flat_map snd children) (snd b) -> Forall bounded children ->
      search (listed ++ news) (before ++ children ++ after).

  (** Whatever was looked into, listed and left are together all values, each once. *)
  (* code: tacit.tallies.ordered.Ordered
     search listed left <- object tacit.tallies.ordered._Search.add: List what is plain and keep the rest. *)
  Theorem search_partitions listed left : search listed left ->
    Permutation (listed ++ flat_map snd left) values /\ Forall bounded left.
  Proof.
    induction 1 as [listed blocks Hp Hb|listed before b after news children Hs [Hp Hb] Hc Hn].
    - auto.
    - apply Forall_app in Hb as [B1 B2]. inversion B2; subst. split.
      + rewrite <- Hp, !flat_map_app. cbn [flat_map]. rewrite <- Hc. rewrite <- !app_assoc.
        apply Permutation_app_head. apply Permutation_app_swap_app.
      + repeat (apply Forall_app; split); auto.
  Qed.

  (** The weight of all that is left is at most what its bounds say: the [rest] of a stage. *)
  (* code: tacit.tallies.ordered.Ordered
     0 <= rate <- requires `rate` is positive
     search listed left <- object tacit.tallies.ordered._Search.add: List what is plain and keep the rest. *)
  Theorem rest_is_bounded rate (listed : list C) (left : list (Z * list C)) :
    0 <= rate -> search listed left ->
    sum (flat_map snd left) (fun v => exp (- rate * IZR (err v)))
    <= sum left (fun b => INR (length (snd b)) * exp (- rate * IZR (fst b))).
  Proof.
    intros Hr Hs. destruct (search_partitions listed left Hs) as [_ Hb]. rewrite Forall_forall in Hb.
    rewrite sum_flat_map. apply sum_le. intros b Hin. rewrite <- sum_const. apply sum_le.
    intros v Hv. assert (IZR (fst b) <= IZR (err v)) by (apply IZR_le; now apply (Hb b Hin)).
    assert (- rate * IZR (err v) <= - rate * IZR (fst b)) by nra.
    destruct H0 as [H0|H0]; [left; now apply exp_increasing|right; now rewrite H0].
  Qed.
End Search.

(** ** The bounds of a block, from the records below it and in it (tacit.tallies.scores)

    A record has a value and a label; a block is the values from [a] to [b - 1]. *)
Section Blocks.
  Variable records : list (nat * bool).

  (** How many records are as [f] says. *)
  Definition tally (f : nat * bool -> bool) : Z :=
    fold_right (fun z x => ((if f z then 1 else 0) + x)%Z) 0%Z records.

  Definition before (l : bool) (a : nat) : Z := tally (fun z => Bool.eqb (snd z) l && Nat.ltb (fst z) a).
  Definition inside (l : bool) (a b : nat) : Z :=
    tally (fun z => Bool.eqb (snd z) l && Nat.leb a (fst z) && Nat.ltb (fst z) b).
  Definition total_of (l : bool) : Z := tally (fun z => Bool.eqb (snd z) l).

  (** The cut after [v] errs on the records of label [low] above it and on the others up to it. *)
  Definition cut_mistakes (low : bool) (v : nat) : Z :=
    tally (fun z => if Bool.eqb (snd z) low then Nat.ltb v (fst z) else Nat.leb (fst z) v).

  Definition start (low : bool) (a : nat) : Z :=
    (total_of low - before low a + before (negb low) a)%Z.

  (* code: tacit.tallies.scores.CutMistakes
     (a <= v < b)%nat <- object tacit.tallies.blocks.Blocks: Disjoint runs of values, given by where each starts and how many values it has. *)
  Theorem cut_bounds low a b v : (a <= v < b)%nat ->
    (start low a - inside low a b <= cut_mistakes low v <= start low a + inside (negb low) a b)%Z.
  Proof.
    intros H. unfold start, cut_mistakes, total_of, before, inside, tally.
    induction records as [|[x l] rest IH]; cbn [fold_right fst snd]; [lia|].
    destruct l, low; cbn [negb Bool.eqb andb] in *;
      destruct (Nat.ltb_spec x a), (Nat.leb_spec a x), (Nat.ltb_spec x b), (Nat.ltb_spec v x), (Nat.leb_spec x v);
      cbn [andb]; try lia.
  Qed.

  (** Where no record lies inside a block but on its first value, all its values have one error. *)
  (* code: tacit.tallies.scores.CutMistakes
     (a <= v < b)%nat <- object tacit.tallies.blocks.Blocks: Disjoint runs of values, given by where each starts and how many values it has.
     (forall z, In z records -> ~ (a < fst z < b)%nat) <- object tacit.tallies.blocks.Occurring.split: With ``after`` a value's run goes on until the next value *)
  Theorem cut_error low a b v : (a <= v < b)%nat ->
    (forall z, In z records -> ~ (a < fst z < b)%nat) ->
    cut_mistakes low v = (start low a + inside (negb low) a b - inside low a b)%Z.
  Proof.
    intros H. unfold start, cut_mistakes, total_of, before, inside, tally.
    induction records as [|[x l] rest IH]; cbn [fold_right fst snd]; [lia|]. intros Hr.
    assert (Hx := Hr (x, l) (or_introl eq_refl)). cbn [fst] in Hx.
    specialize (IH (fun z Hz => Hr z (or_intror Hz))).
    destruct l, low; cbn [negb Bool.eqb andb] in *;
      destruct (Nat.ltb_spec x a), (Nat.leb_spec a x), (Nat.ltb_spec x b), (Nat.ltb_spec v x), (Nat.leb_spec x v);
      cbn [andb]; lia.
  Qed.

  (** The ranks of a value of a block lie between the counts at its two ends; so does an error that
      never falls with the first and never rises with the second. *)
  Definition below (r : nat) : Z := tally (fun z => Nat.ltb (fst z) r).
  Definition up_to (r : nat) : Z := tally (fun z => Nat.leb (fst z) r).

  Lemma ranks a b r : (a <= r < b)%nat ->
    (below a <= below r /\ below r <= up_to r /\ up_to r <= below b)%Z.
  Proof.
    intros H. unfold below, up_to, tally.
    induction records as [|[x l] rest IH]; cbn [fold_right fst]; [lia|].
    destruct (Nat.ltb_spec x a), (Nat.ltb_spec x r), (Nat.leb_spec x r), (Nat.ltb_spec x b); lia.
  Qed.

  (* code: tacit.tallies.scores.RankErrors
     (a <= r < b)%nat <- object tacit.tallies.blocks.Blocks: Disjoint runs of values, given by where each starts and how many values it has.
     (forall c c' k k', (c <= c')%Z -> (k' <= k)%Z -> (error c k <= error c' k')%Z) <- object tacit.tallies.scores.RankErrors: It must never fall as ``below`` grows and never rise as ``at_most`` grows *)
  Theorem rank_bounds (error : Z -> Z -> Z) a b r : (a <= r < b)%nat ->
    (forall c c' k k', (c <= c')%Z -> (k' <= k)%Z -> (error c k <= error c' k')%Z) ->
    (error (below a) (below b) <= error (below r) (up_to r) <= error (below b) (below a))%Z.
  Proof.
    intros H Hm. destruct (ranks a b r H) as (H1 & H2 & H3). split; apply Hm; lia.
  Qed.

  (** A value alone, or values without records: their ranks are the counts themselves. *)
  (* code: tacit.tallies.scores.RankErrors
     (a <= r < b)%nat <- object tacit.tallies.blocks.Blocks: Disjoint runs of values, given by where each starts and how many values it has.
     (b = S a \/ forall z, In z records -> ~ (a <= fst z < b)%nat) <- object tacit.tallies.blocks.Blocks.plain: Which blocks need no refining: one value, or no record inside. *)
  Theorem rank_error a b r : (a <= r < b)%nat ->
    (b = S a \/ forall z, In z records -> ~ (a <= fst z < b)%nat) ->
    below r = below a /\ up_to r = below b.
  Proof.
    intros H [->|Hr].
    - replace r with a by lia. split; [reflexivity|]. unfold up_to, below, tally.
      induction records as [|[x l] rest IH]; cbn [fold_right fst]; [lia|].
      destruct (Nat.leb_spec x a), (Nat.ltb_spec x (S a)); lia.
    - unfold below, up_to, tally. induction records as [|[x l] rest IH]; cbn [fold_right fst]; [lia|].
      assert (Hx := Hr (x, l) (or_introl eq_refl)). cbn [fst] in Hx.
      destruct (IH (fun z Hz => Hr z (or_intror Hz))) as [E E'].
      destruct (Nat.ltb_spec x a), (Nat.ltb_spec x r), (Nat.leb_spec x r), (Nat.ltb_spec x b); lia.
  Qed.
End Blocks.
