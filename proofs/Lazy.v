(** Lazy refinement by rejection: the same law, whatever the bounds.

    A block is either exact, and then its members all have the weight that it says, or it can
    be refined into blocks and carries a bound on the weight of its members. A trial draws a
    block of the view by its bound; as long as the block is not exact it is refined and a
    part is drawn by its bound, or, with what is left over, the trial is rejected. Whatever
    was refined stays so for later trials. *)
From Coq Require Import Reals Lra List Bool Lia ZArith Permutation.
From Tacit Require Import Sums Definitions Selection.
Import ListNotations.
Open Scope R_scope.

Section Lazy.
  Context {C : Type}.
  Variable weight : C -> R.

  Inductive block : Type :=
  | Exact (w : R) (members : list C)
  | Coarse (bound : R) (parts : list block).

  Definition bound (b : block) : R :=
    match b with Exact w ms => INR (length ms) * w | Coarse u _ => u end.

  Fixpoint content (b : block) : list C :=
    match b with Exact _ ms => ms | Coarse _ parts => flat_map content parts end.

  (** The bounds nest: those of the parts, added up, do not exceed that of the block. Nothing
      else is asked of them. *)
  Inductive valid : block -> Prop :=
  | valid_exact w ms : 0 < w -> ms <> [] -> (forall r, In r ms -> weight r = w) ->
      valid (Exact w ms)
  | valid_coarse u parts : 0 < u -> Forall valid parts -> sum parts bound <= u ->
      valid (Coarse u parts).

  (** An outcome of a trial: a member, or a rejection with the blocks to go on with. *)
  Definition outcome : Type := (C + list block)%type.

  Definition continue (u : R) (before rest : list block) (part : block) (po : R * outcome)
    : R * outcome :=
    (bound part / u * fst po,
     match snd po with inl r => inl r | inr refined => inr (before ++ refined ++ rest) end).

  (** Draw a part by its bound over [u] and continue in it; the other parts stay. *)
  Definition choose_by (go : block -> list (R * outcome)) (u : R) :
    list block -> list block -> list (R * outcome) :=
    fix choose before after :=
      match after with
      | [] => []
      | part :: rest =>
          map (continue u before rest part) (go part) ++ choose (before ++ [part]) rest
      end.

  (** Continue in a block until it is exact; what the bounds of the parts leave over rejects. *)
  Fixpoint walk (b : block) : list (R * outcome) :=
    match b with
    | Exact _ ms => map (fun r => (/ INR (length ms), inl r)) ms
    | Coarse u parts => (1 - sum parts bound / u, inr parts) :: choose_by walk u [] parts
    end.

  Definition choose (u : R) : list block -> list block -> list (R * outcome) := choose_by walk u.

  Lemma walk_coarse u parts :
    walk (Coarse u parts) = (1 - sum parts bound / u, inr parts) :: choose u [] parts.
  Proof. reflexivity. Qed.

  Lemma choose_cons u before part rest :
    choose u before (part :: rest) =
    map (continue u before rest part) (walk part) ++ choose u (before ++ [part]) rest.
  Proof. reflexivity. Qed.

  (** One trial on a view. *)
  Definition trial (view : list block) : list (R * outcome) :=
    choose (sum view bound) [] view.

  (** The probability that [r] is returned within [n] trials, and that all [n] are rejected. *)
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.

  Fixpoint returned (n : nat) (view : list block) (r : C) : R :=
    match n with
    | O => 0
    | S k => sum (trial view) (fun po => fst po *
               match snd po with
               | inl s => if eq_dec s r then 1 else 0
               | inr view' => returned k view' r
               end)
    end.

  Fixpoint rejected (n : nat) (view : list block) : R :=
    match n with
    | O => 1
    | S k => sum (trial view) (fun po => fst po *
               match snd po with inl _ => 0 | inr view' => rejected k view' end)
    end.

  (** The number of refinements that are still possible. *)
  Fixpoint coarse (b : block) : nat :=
    match b with Exact _ _ => 0 | Coarse _ parts => S (list_sum (map coarse parts)) end.
  Definition coarse_view (view : list block) : nat := list_sum (map coarse view).

  Lemma block_induction (P : block -> Prop) :
    (forall w ms, P (Exact w ms)) ->
    (forall u parts, Forall P parts -> P (Coarse u parts)) -> forall b, P b.
  Proof.
    intros He Hc. fix IH 1. intros [w ms|u parts]; [apply He|]. apply Hc.
    induction parts as [|p rest IHp]; constructor; [apply IH|exact IHp].
  Qed.

  (** The value of a return, and of a rejection. *)
  Definition on_return (f : C -> R) (o : outcome) : R :=
    match o with inl r => f r | inr _ => 0 end.

  Lemma bound_pos b : valid b -> 0 < bound b.
  Proof.
    destruct 1 as [w ms Hw Hne _|u parts Hu _ _]; simpl; [|assumption].
    apply Rmult_lt_0_compat; [|assumption]. apply lt_0_INR.
    destruct ms; [congruence|simpl; lia].
  Qed.

  Lemma choose_return f u before parts :
    0 < u -> Forall valid parts ->
    Forall (fun b => valid b -> sum (walk b) (fun po => fst po * on_return f (snd po))
                     = sum (content b) (fun r => weight r * f r) / bound b) parts ->
    sum (choose u before parts) (fun po => fst po * on_return f (snd po))
    = sum (flat_map content parts) (fun r => weight r * f r) / u.
  Proof.
    intros Hu Hv. revert before. induction Hv as [|p rest Hp Hv IH]; intros before HF.
    - simpl. unfold Rdiv. lra.
    - inversion HF as [|? ? H1 H2]; subst. rewrite choose_cons. cbn [flat_map].
      rewrite !sum_app, IH by assumption. rewrite sum_map.
      rewrite (sum_ext _ _ (fun po => bound p / u * (fst po * on_return f (snd po)))).
      + rewrite sum_scal, H1 by assumption. assert (Hb := bound_pos p Hp). field. split; lra.
      + intros [x [r|new]] _; cbn; ring.
  Qed.

  Lemma walk_return f b :
    valid b -> sum (walk b) (fun po => fst po * on_return f (snd po))
               = sum (content b) (fun r => weight r * f r) / bound b.
  Proof.
    induction b as [w ms|u parts IH] using block_induction; intros Hv.
    - inversion Hv as [? ? Hw Hne Hms|]; subst. cbn [walk content bound].
      rewrite sum_map. cbn [fst snd on_return].
      rewrite (sum_ext ms (fun r => weight r * f r) (fun r => w * f r))
        by (intros r Hr; now rewrite Hms).
      rewrite !sum_scal.
      assert (0 < INR (length ms)) by (apply lt_0_INR; destruct ms; [congruence|simpl; lia]).
      field. split; lra.
    - inversion Hv as [|? ? Hu Hp Hs]; subst. rewrite walk_coarse, sum_cons.
      cbn [fst snd on_return content bound]. rewrite choose_return by assumption. ring.
  Qed.

  Lemma choose_total u before parts :
    0 < u -> Forall (fun b => sum (walk b) fst = 1) parts ->
    sum (choose u before parts) fst = sum parts bound / u.
  Proof.
    intros Hu HF. revert before. induction HF as [|p rest Hp HF IH]; intros before.
    - simpl. unfold Rdiv. lra.
    - rewrite choose_cons. rewrite sum_app, IH, sum_map, sum_cons.
      unfold continue. cbn [fst]. rewrite sum_scal, Hp. field. lra.
  Qed.

  Lemma walk_total b : valid b -> sum (walk b) fst = 1.
  Proof.
    induction b as [w ms|u parts IH] using block_induction; intros Hv.
    - inversion Hv as [? ? Hw Hne Hms|]; subst. cbn [walk].
      rewrite sum_map. cbn [fst]. rewrite sum_const.
      apply Rinv_r. apply not_0_INR. destruct ms; [congruence|simpl; lia].
    - inversion Hv as [|? ? Hu Hp Hs]; subst. rewrite walk_coarse, sum_cons, choose_total.
      + cbn [fst]. lra.
      + assumption.
      + rewrite Forall_forall in *. auto.
  Qed.

  (** What a rejection leaves behind: the same candidates, in finer blocks. *)
  Definition refines (old new : list block) : Prop :=
    Forall valid new /\ Permutation (flat_map content new) (flat_map content old) /\
    (coarse_view new < coarse_view old)%nat.

  Lemma coarse_view_app l m : coarse_view (l ++ m) = (coarse_view l + coarse_view m)%nat.
  Proof. unfold coarse_view. now rewrite map_app, list_sum_app. Qed.

  Lemma choose_refines u before parts :
    Forall valid before -> Forall valid parts ->
    Forall (fun b => valid b -> forall x new, In (x, inr new) (walk b) -> refines [b] new) parts ->
    forall x new, In (x, inr new) (choose u before parts) -> refines (before ++ parts) new.
  Proof.
    intros Hb Hv. revert before Hb. induction Hv as [|p rest Hp Hv IH]; intros before Hb HF x new Hi.
    - contradiction.
    - inversion HF as [|? ? H1 H2]; subst. rewrite choose_cons in Hi. apply in_app_or in Hi as [Hi|Hi].
      + apply in_map_iff in Hi as ([x' [r|new']] & He & Hi); cbn in He; [discriminate|].
        injection He as _ <-. destruct (H1 Hp _ _ Hi) as (G1 & G2 & G3). repeat split.
        * repeat (apply Forall_app; split); assumption.
        * rewrite !flat_map_app. cbn [flat_map] in *. rewrite app_nil_r in G2.
          now rewrite G2.
        * change (p :: rest) with ([p] ++ rest). rewrite !coarse_view_app. lia.
      + replace (before ++ p :: rest) with ((before ++ [p]) ++ rest) by now rewrite <- app_assoc.
        apply (IH (before ++ [p])) with (x := x); auto.
        apply Forall_app; split; [assumption|]. now constructor.
  Qed.

  Lemma walk_refines b : valid b -> forall x new, In (x, inr new) (walk b) -> refines [b] new.
  Proof.
    induction b as [w ms|u parts IH] using block_induction; intros Hv x new Hi.
    - cbn [walk] in Hi. apply in_map_iff in Hi as (r & He & _). discriminate.
    - inversion Hv as [|? ? Hu Hp Hs]; subst. rewrite walk_coarse in Hi.
      assert (Hin : refines [Coarse u parts] parts).
      { split; [assumption|]. split.
        - cbn. now rewrite app_nil_r.
        - unfold coarse_view. simpl. lia. }
      destruct Hi as [He|Hi].
      + injection He as _ <-. exact Hin.
      + destruct (choose_refines u [] parts (Forall_nil _) Hp IH x new Hi) as (G1 & G2 & G3).
        destruct Hin as (_ & I2 & I3). cbn [app] in *. split; [assumption|]. split; [|lia].
        now rewrite G2.
  Qed.

  Lemma trial_refines view x new :
    Forall valid view -> In (x, inr new) (trial view) -> refines view new.
  Proof.
    intros Hv Hi. apply (choose_refines (sum view bound) [] view (Forall_nil _) Hv) with (x := x).
    - apply Forall_forall. intros b _ Hb. now apply walk_refines.
    - exact Hi.
  Qed.

  Variable candidates : list C.

  Definition all_weight : R := sum candidates weight.

  Lemma view_pos view :
    Forall valid view -> candidates <> [] -> Permutation (flat_map content view) candidates ->
    0 < sum view bound.
  Proof.
    intros Hv Hne Hp. apply sum_pos.
    - intros ->. apply Permutation_nil in Hp. congruence.
    - intros b Hb. apply bound_pos. rewrite Forall_forall in Hv. auto.
  Qed.

  (** However often trials are rejected, and whatever was refined: among the returns within
      [n] trials each candidate has its share of the weight. *)
  Theorem lazy_refinement n : forall view r,
    NoDup candidates -> In r candidates -> 0 < all_weight ->
    Forall valid view -> Permutation (flat_map content view) candidates ->
    returned n view r = weight r / all_weight * (1 - rejected n view).
  Proof.
    induction n as [|n IH]; intros view r Hd Hr HW Hv Hp; [simpl; lra|].
    assert (Hne : candidates <> []) by (intros E; rewrite E in Hr; contradiction).
    assert (Hu := view_pos view Hv Hne Hp).
    set (ind := fun s => if eq_dec s r then 1 else 0).
    assert (HF : forall f, Forall (fun b => valid b ->
        sum (walk b) (fun po => fst po * on_return f (snd po))
        = sum (content b) (fun r => weight r * f r) / bound b) view).
    { intros f. apply Forall_forall. intros b _ Hb. now apply walk_return. }
    assert (H1 : sum (trial view) (fun po => fst po * on_return ind (snd po))
                 = weight r / sum view bound).
    { unfold trial. rewrite choose_return by auto.
      rewrite (sum_perm _ candidates) by assumption. f_equal. unfold ind.
      rewrite (sum_ext _ _ (fun s => if (if eq_dec s r then true else false) then weight s else 0)).
      - rewrite (sum_pick (fun s t => if eq_dec s t then true else false)); [|
          intros a b; destruct (eq_dec a b); split; congruence | assumption].
        assert (E : existsb (fun x => if eq_dec x r then true else false) candidates = true).
        { apply existsb_exists. exists r. split; [assumption|]. destruct (eq_dec r r); congruence. }
        now rewrite E.
      - intros s _. destruct (eq_dec s r); ring. }
    assert (H2 : sum (trial view) (fun po => fst po * on_return (fun _ => 1) (snd po))
                 = all_weight / sum view bound).
    { unfold trial. rewrite choose_return by auto. f_equal.
      rewrite (sum_perm _ candidates) by assumption. unfold all_weight. apply sum_ext. intros; ring. }
    assert (H3 : sum (trial view) fst = 1).
    { unfold trial. rewrite choose_total; [field; lra|assumption|].
      rewrite Forall_forall in *. intros b Hb. apply walk_total. auto. }
    cbn [returned rejected].
    rewrite (sum_ext _ _ (fun po => fst po * on_return ind (snd po) + weight r / all_weight *
       (fst po - fst po * on_return (fun _ => 1) (snd po) -
        fst po * match snd po with inl _ => 0 | inr view' => rejected n view' end))).
    - rewrite sum_plus, sum_scal, !sum_minus, H1, H2, H3. field. split; lra.
    - intros [x [s|view']] Hi; cbn [fst snd on_return].
      + unfold ind. ring.
      + destruct (trial_refines view x view' Hv Hi) as (G1 & G2 & _).
        rewrite (IH view' r); auto; [ring|]. now rewrite G2.
  Qed.

  (** Every rejection refines a block, so more trials than blocks cannot all be rejected. *)
  Theorem lazy_terminates n : forall view,
    Forall valid view -> (coarse_view view < n)%nat -> rejected n view = 0.
  Proof.
    induction n as [|n IH]; intros view Hv Hn; [lia|]. cbn [rejected].
    apply sum_zero. intros [x [s|view']] Hi; cbn [fst snd]; [ring|].
    destruct (trial_refines view x view' Hv Hi) as (G1 & _ & G3).
    rewrite IH; [ring|assumption|lia].
  Qed.

  (** Together: the law of what is returned is the weights, normalised, whatever the bounds. *)
  Theorem lazy_refinement_law n view r :
    NoDup candidates -> In r candidates -> 0 < all_weight ->
    Forall valid view -> Permutation (flat_map content view) candidates ->
    (coarse_view view < n)%nat ->
    returned n view r = weight r / all_weight.
  Proof.
    intros. rewrite lazy_refinement, lazy_terminates by assumption. ring.
  Qed.
End Lazy.

(** With the weights [exp (- rate * error)] that is the exponential mechanism. *)
Theorem lazy_exponential {D C} (eq_dec : forall r s : C, {r = s} + {r <> s})
  (candidates : list C) (err : D -> C -> R) (rate : R) (S : D) n view r :
  NoDup candidates -> In r candidates ->
  Forall (valid (weight err rate S)) view ->
  Permutation (flat_map content view) candidates -> (coarse_view view < n)%nat ->
  returned eq_dec n view r = exponential eq_dec candidates err rate S r.
Proof.
  intros Hd Hr Hv Hp Hn.
  assert (Hne : candidates <> []) by (intros E; rewrite E in Hr; contradiction).
  rewrite (lazy_refinement_law (weight err rate S) eq_dec candidates); auto.
  - unfold exponential. destruct (in_dec _ _ _); [reflexivity|contradiction].
  - exact (total_pos candidates err rate S Hne).
Qed.
