(** What the search of an order hands to a draw: the stages of tacit.tallies.ordered are what
    tacit.exact.stages asks for, so that the whole is the exponential mechanism over all values. *)
From Coq Require Import Reals Lra List Bool Lia ZArith Permutation.
From Tacit Require Import Sums Definitions Selection Levels Stages Search.
Import ListNotations.
Open Scope R_scope.

Section Searched.
  Context {C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable err : C -> Z.
  Variable values : list C.
  Variable rate : R.
  Hypothesis rate_not_negative : 0 <= rate.

  (** A stage is a list of cells: an error, and the values that were found to have it. After [s]
      stages the blocks [left s] are left, each with a bound. *)
  Variable stages : list (list (Z * list C)).
  Variable left : nat -> list (Z * list C).

  (** The values of the first [s] stages and those left are a state of the search; at the end
      nothing is left; and every listed value stands in a cell of its error. *)
  Definition searched : Prop :=
    (forall s, (s <= length stages)%nat -> exists listed,
       search err values listed (left s) /\
       Permutation listed (flat_map snd (concat (firstn s stages)))) /\
    left (length stages) = [] /\
    (forall c, In c (concat stages) -> forall v, In v (snd c) -> err v = fst c).

  (** What the code gives as [rest]: each block left by its bound. *)
  Definition left_weight (s : nat) : R :=
    sum (left s) (fun b => INR (length (snd b)) * exp (- rate * IZR (fst b))).

  Lemma flat_map_concat_split s : flat_map snd (concat stages)
    = flat_map snd (concat (firstn s stages)) ++ @flat_map (Z * list C) C snd (concat (skipn s stages)).
  Proof.
    rewrite <- flat_map_app, <- concat_app, firstn_skipn. reflexivity.
  Qed.

  (** The cells of some stages weigh what their values weigh. *)
  Lemma cells_weigh l : (forall c, In c l -> forall v, In v (snd c) -> err v = fst c) ->
    sum (map (cell_weight rate) l) (fun w => w)
    = sum (flat_map snd l) (fun v => exp (- rate * IZR (err v))).
  Proof.
    intros H. rewrite sum_map, sum_flat_map. apply sum_ext. intros c Hc. unfold cell_weight.
    rewrite <- sum_const. apply sum_ext. intros v Hv. now rewrite (H c Hc v Hv).
  Qed.

  (* code: tacit.tallies.ordered.Ordered
     0 <= rate <- requires `rate` is positive
     searched <- object tacit.tallies.ordered.Ordered.stages: yield Stage(self._groups(search, edge=edge), self._rest(search)) *)
  Theorem searched_stages : searched ->
    lists_all err values stages /\
    forall s, sum (rest_cells rate stages s) (fun w => w) <= left_weight s.
  Proof.
    intros (Hs & Hend & Herr).
    assert (All : Permutation (flat_map snd (concat stages)) values).
    { destruct (Hs (length stages) (le_n _)) as (listed & HS & HP).
      rewrite Hend in HS. apply search_partitions in HS as [HQ _].
      cbn [flat_map] in HQ. rewrite app_nil_r in HQ. rewrite firstn_all in HP.
      now rewrite <- HP. }
    split; [split; [exact All|exact Herr]|]. intros s. unfold rest_cells.
    destruct (le_lt_dec s (length stages)) as [Hle|Hgt].
    - destruct (Hs s Hle) as (listed & HS & HP).
      rewrite cells_weigh.
      2: { intros c Hc. apply Herr. rewrite <- (firstn_skipn s stages), concat_app.
           apply in_or_app. now right. }
      unfold left_weight. eapply Rle_trans; [|apply (rest_is_bounded err values rate listed); assumption].
      right. apply sum_perm. apply search_partitions in HS as [HQ _].
      apply (Permutation_app_inv_l listed). rewrite HQ, <- All, (flat_map_concat_split s).
      now apply Permutation_app_tail.
    - rewrite skipn_all2 by lia. cbn. apply sum_nonneg. intros b _.
      apply Rmult_le_pos; [apply pos_INR|apply Rlt_le, exp_pos].
  Qed.

  (** A draw from these stages (Stages.staged_exponential): the numbers [u] for which cell [i] is
      returned, and then a uniform value of it, are the exponential mechanism over all values. *)
  (* code: tacit.tallies.ordered.Ordered
     0 <= rate <- requires `rate` is positive
     searched <- object tacit.tallies.ordered.Ordered.stages: yield Stage(self._groups(search, edge=edge), self._rest(search))
     certain rate stages left_weight known attempt <- object tacit.exact.stages._by_balls: The cell that certainly contains ``U * total``, or ``None`` in doubt.
     ends rate stages attempt <- object tacit.exact.stages.draw_exponential: bits *= 2
     nth_error (concat stages) i = Some (e, members) <- object tacit.exact.stages._member: for stage, levels in known: if index < len(levels.errors):
     In v members <- object tacit.exact.stages._member: return stage.listed.member(int(levels.errors[index]), rank) *)
  Theorem searched_exponential (known : nat -> nat) (attempt : nat -> R -> option nat) i e members v :
    searched -> certain rate stages left_weight known attempt -> ends rate stages attempt ->
    nth_error (concat stages) i = Some (e, members) -> In v members ->
    exists low high, 0 <= low /\ high <= 1 /\
      (forall u, drawn attempt u i <-> low < u < high) /\
      (high - low) * / INR (length members)
      = exponential eq_dec values (fun (_ : unit) s => IZR (err s)) rate tt v.
  Proof.
    intros Hs Hc He Hi Hv. destruct (searched_stages Hs) as [HL HB].
    exact (staged_exponential eq_dec err rate values stages left_weight known attempt i e members v
             HL HB Hc He Hi Hv).
  Qed.
End Searched.

(** ** The blocks of a threshold class (tacit.tallies.scores.CutMistakes)

    Every block of values has the bound that the search needs, and every run of values whose records
    all lie on its first value has one error: a block of one value, one without records, and a value
    with those up to the next that occurs. *)
(* code: tacit.tallies.scores.CutMistakes
   (a < b)%nat <- object tacit.tallies.blocks.Blocks.lasts: The last value of each block, none of which is empty. *)
Theorem cut_blocks (records : list (nat * bool)) (low : bool) (a b : nat) : (a < b)%nat ->
  bounded (cut_mistakes records low) (start records low a - inside records low a b, seq a (b - a))%Z /\
  ((forall z, In z records -> ~ (a < fst z < b)%nat) ->
   forall v, In v (seq a (b - a)) ->
   cut_mistakes records low v = (start records low a + inside records (negb low) a b - inside records low a b)%Z).
Proof.
  intros Hab. split.
  - intros v Hv. cbn [fst snd] in *. apply in_seq in Hv. apply (cut_bounds records low a b v). lia.
  - intros Hr v Hv. apply in_seq in Hv. apply cut_error; [lia|assumption].
Qed.
