(** Learning k targets at once: Theorem 52 of Bun, Nissim and Stemmer as an instance of the
    packing bound (tacit.bounds.lower.two_concepts.label_vectors). *)
From Coq Require Import Reals Lra List Bool Lia Arith.
From Tacit Require Import Sums Definitions Composition Groups Packing MasterBound Coupling
  PackingSpread AnyAnswers TwoPoints.
Import ListNotations.
Open Scope R_scope.

Section Vectors.
  Definition vector_dec : forall v w : list bool, {v = w} + {v <> w} := list_eq_dec bool_dec.
  Definition vectors (k : nat) : list (list bool) := samples [true; false] k.

  Lemma vectors_length k : length (vectors k) = (2 ^ k)%nat.
  Proof.
    unfold vectors. induction k as [|k IH]; [reflexivity|]. simpl samples.
    rewrite !app_length, !map_length, IH. simpl. lia.
  Qed.

  Lemma vectors_nodup k : NoDup (vectors k).
  Proof.
    unfold vectors. induction k as [|k IH]; simpl; [repeat constructor; simpl; tauto|].
    rewrite app_nil_r.
    assert (A : forall b : bool, NoDup (map (cons b) (samples [true; false] k))).
    { intros b. apply FinFun.Injective_map_NoDup; [|assumption]. intros v w E. congruence. }
    assert (B : forall l l' : list (list bool), NoDup l -> NoDup l' ->
              (forall v, In v l -> ~ In v l') -> NoDup (l ++ l')).
    { induction l as [|v l IHl]; intros l' H1 H2 H3; simpl; [assumption|]. inversion H1; subst.
      constructor.
      - rewrite in_app_iff. intros [|]; [contradiction|]. apply (H3 v); [now left|assumption].
      - apply IHl; try assumption. intros u Hu. apply H3. now right. }
    apply B; try apply A. intros v Hv Hw. apply in_map_iff in Hv. apply in_map_iff in Hw.
    destruct Hv as (a & <- & _), Hw as (b & E & _). discriminate.
  Qed.

  Lemma vectors_in k v : In v (vectors k) -> length v = k.
  Proof.
    unfold vectors. revert v. induction k as [|k IH]; simpl; intros v; [intros [<-|[]]; reflexivity|].
    rewrite app_nil_r, in_app_iff, !in_map_iff.
    intros [(w & <- & Hw)|(w & <- & Hw)]; simpl; f_equal; now apply IH.
  Qed.

  Lemma one_vector (l : list (list bool)) w : NoDup l ->
    sum l (fun v => one (if vector_dec w v then true else false)) <= 1.
  Proof.
    induction 1 as [|v l Hv Hl IH]; simpl; [lra|]. destruct (vector_dec w v) as [->|].
    - rewrite sum_zero; [simpl; lra|]. intros u Hu.
      destruct (vector_dec v u) as [->|]; [contradiction|reflexivity].
    - simpl. lra.
  Qed.
End Vectors.

(** ** Learning [k] targets

    A record shows a value and [k] labels; an answer has a rule for each of them. *)
Section Many.
  Context {X H O : Type}.
  Variable eq_dec : forall x y : X, {x = y} + {x <> y}.
  Variable predict : H -> X -> bool.
  Variable member : H -> Prop.
  Variable rule : O -> nat -> X -> bool.
  Variable k : nat.

  (** All labels come from [k] concepts of the class. *)
  Definition many_realizable (examples : list (X * list bool)) (p : X * list bool -> R) : Prop :=
    finite_law examples p /\
    exists targets, length targets = k /\ (forall h, In h targets -> member h) /\
      forall z, In z examples -> 0 < p z -> snd z = map (fun h => predict h (fst z)) targets.

  (** The probability that the rule errs on label number [j]. *)
  Definition task_error (examples : list (X * list bool)) (p : X * list bool -> R) (j : nat)
    (r : X -> bool) : R :=
    sum examples (fun z => p z * one (xorb (r (fst z)) (nth j (snd z) false))).

  (** Every one of the [k] rules errs with probability at most [alpha]. *)
  Definition all_close (alpha : R) examples p (o : O) : bool :=
    forallb (fun j => if Rle_dec (task_error examples p j (rule o j)) alpha then true else false)
      (seq 0 k).

  Definition learns_many (alpha beta : R) (n : nat) (m : mechanism (list (X * list bool)) O) : Prop :=
    forall examples p, many_realizable examples p ->
    at_least m n examples p (all_close alpha examples p) (1 - beta).

  Definition labelled_dec : forall x y : X * list bool, {x = y} + {x <> y}.
  Proof. decide equality; apply vector_dec. Defined.

  Variable neighbours : list (X * list bool) -> list (X * list bool) -> Prop.
  Variable m : mechanism (list (X * list bool)) O.
  Variables epsilon delta alpha beta : R.
  Variables n cost : nat.

  Hypothesis laws : forall S, sublaw (m S).
  Hypothesis epsilon_positive : 0 < epsilon.
  Hypothesis delta_not_negative : 0 <= delta.
  Hypothesis private : approximate neighbours epsilon delta m.
  Hypothesis steps : forall S S', label S S' -> within neighbours cost S S'.
  Hypothesis targets : (0 < k)%nat.
  Hypothesis accurate : learns_many alpha beta n m.

  (** What an answer says of [y]. *)
  Definition says (y : X) (o : O) : list bool := map (fun j => rule o j y) (seq 0 k).

  (** Two concepts that differ on [y]: any vector of labels may be the right one there. *)
  Lemma vectors_packed f g y other q edge : member f -> member g -> predict f y <> predict g y ->
    alpha < q <= 1 -> 0 <= q -> (forall v, In v (vectors k) -> (y, v) <> other) ->
    (q < 1 -> predict f (fst other) = predict g (fst other) /\
              snd other = repeat (predict f (fst other)) k) ->
    phi n q (INR cost * epsilon) beta edge <= beta / (INR (2 ^ k) - 1) + lost epsilon delta.
  Proof.
    intros Hf Hg Hy Hq Hq0 Hother Hagree.
    assert (Hn := vectors_nodup k). assert (Hlen := vectors_length k).
    assert (Htwo : (2 <= length (vectors k))%nat).
    { rewrite Hlen. destruct k; [lia|]. simpl. assert (2 ^ n0 <> 0)%nat by (apply Nat.pow_nonzero; lia). lia. }
    assert (Hacc : forall v, In v (vectors k) ->
      at_least m n [(y, v); other] (two_points labelled_dec (y, v) other q)
        (fun o => if vector_dec (says y o) v then true else false) (1 - beta)).
    { intros v Hv. assert (Hvk := vectors_in k v Hv). assert (Hne := Hother v Hv).
      set (examples := [(y, v); other]). set (p := two_points labelled_dec (y, v) other q).
      apply (at_least_more m n examples p (all_close alpha examples p)).
      - intros o Ho. unfold all_close in Ho. rewrite forallb_forall in Ho.
        destruct (vector_dec (says y o) v) as [|N]; [reflexivity|exfalso]. apply N. clear N.
        apply (nth_ext _ _ false false).
        + unfold says. now rewrite map_length, seq_length.
        + intros j Hj. unfold says in *. rewrite map_length, seq_length in Hj.
          rewrite (nth_indep _ false (rule o 0 y)) by now rewrite map_length, seq_length.
          rewrite (map_nth (fun j => rule o j y)), seq_nth by assumption. simpl.
          assert (Hin : In j (seq 0 k)) by (apply in_seq; lia). specialize (Ho j Hin).
          destruct (Rle_dec _ _) as [L|]; [|discriminate]. unfold task_error, examples, p in L.
          rewrite two_points_sum in L by assumption. simpl in L.
          destruct (Bool.bool_dec (rule o j y) (nth j v false)) as [|D]; [assumption|exfalso].
          assert (E : one (xorb (rule o j y) (nth j v false)) = 1)
            by (unfold one; destruct (rule o j y), (nth j v false); simpl; congruence).
          rewrite E in L.
          assert (P : forall b, 0 <= (1 - q) * one b) by (intros b; unfold one; destruct b; lra).
          specialize (P (xorb (rule o j (fst other)) (nth j (snd other) false))). lra.
      - apply accurate. split; [apply two_points_law; [assumption|lra]|].
        exists (map (fun b => if Bool.eqb (predict f y) b then f else g) v). split; [now rewrite map_length|].
        split; [intros h Hh; apply in_map_iff in Hh as (b & <- & _); destruct (Bool.eqb _ _); assumption|].
        intros z [<-|[<-|[]]] Hz; rewrite map_map; simpl.
        + rewrite <- (map_id v) at 1. apply map_ext. intros b.
          destruct (predict f y) eqn:E1, (predict g y) eqn:E2, b; simpl; congruence.
        + unfold p, two_points in Hz. destruct (labelled_dec other (y, v)); [congruence|].
          destruct (labelled_dec other other); [|congruence].
          destruct Hagree as [E1 E2]; [lra|]. rewrite E2, <- Hvk. clear - E1.
          induction v as [|b v IH]; simpl; [reflexivity|]. rewrite IH. f_equal.
          destruct (Bool.eqb _ _); [reflexivity|assumption]. }
    destruct (vectors k) as [|v0 vs] eqn:Evs; [simpl in Htwo; lia|].
    assert (HN : INR (2 ^ k) - 1 = INR (length vs)).
    { rewrite <- Hlen. change (length (v0 :: vs)) with (S (length vs)). rewrite S_INR. ring. }
    rewrite HN. replace q with (q + (1 - q) * one false) at 1 by (simpl; ring).
    apply (two_point_packing labelled_dec neighbours m epsilon delta beta q n cost (y, v0) other
      (fun v => if vector_dec v v0 then (y, v0) else if in_dec vector_dec v vs then (y, v) else (y, v0))
      (fun _ => other) false vs
      (fun v o => if vector_dec (says y o) v then true else false)
      (fun o => if vector_dec (says y o) v0 then true else false)); try assumption.
    - lra.
    - intros E. rewrite E in Htwo. simpl in Htwo. lia.
    - apply Hother. now left.
    - intros v. destruct (vector_dec v v0); [apply Hother; now left|].
      destruct (in_dec vector_dec v vs); apply Hother; [now right|now left].
    - reflexivity.
    - intros v before after. apply steps. exists before, y. destruct (vector_dec v v0).
      + exists v0, v0, after. auto.
      + destruct (in_dec vector_dec v vs); [exists v, v0, after|exists v0, v0, after]; auto.
    - discriminate.
    - intros v Hv. inversion Hn; subst. destruct (vector_dec v v0) as [->|]; [contradiction|].
      destruct (in_dec vector_dec v vs); [|contradiction]. apply Hacc. now right.
    - intros o. exact (one_vector (v0 :: vs) (says y o) Hn).
    - apply Hacc. now left.
  Qed.

  (** Two concepts: every record shows the value on which they differ. *)
  (* code: tacit.bounds.lower.two_concepts.label_vectors
     forall S, sublaw (m S) <- requires answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     forall S S', label S S' -> within neighbours cost S S' <- object tacit.bounds.lower.packing.Budget.of: steps = 2 if relation is Relation.ADD_REMOVE else 1
     (0 < k)%nat <- check whole(k)
     learns_many alpha beta n m <- requires answers well, with probability `1 - beta`, for every distribution of a family
     member f <- object tacit.bounds.lower.two_concepts.label_vectors: Each of ``k`` targets is one of two concepts
     member g <- object tacit.bounds.lower.two_concepts.label_vectors: Each of ``k`` targets is one of two concepts
     predict f y <> predict g y <- object tacit.bounds.lower.two_concepts.label_vectors: Each of ``k`` targets is one of two concepts
     (0 < cost)%nat <- object tacit.bounds.lower.packing.Budget.of: steps = 2 if relation is Relation.ADD_REMOVE else 1
     alpha < 1 <- check probability(alpha)
     0 < beta < 1 <- check probability(beta) *)
  Theorem label_vectors_two f g (y : X) : member f -> member g -> predict f y <> predict g y ->
    (0 < cost)%nat -> alpha < 1 -> 0 < beta < 1 ->
    ln ((1 - beta) / (beta / (INR (2 ^ k) - 1) + lost epsilon delta)) / (INR cost * epsilon) <= INR n.
  Proof.
    intros Hf Hg Hy Hc Ha Hb. apply records_needed; try assumption.
    - assert (1 < INR (2 ^ k)).
      { replace 1 with (INR 1) by reflexivity. apply lt_INR, Nat.pow_gt_1; lia. }
      assert (exp 0 < exp epsilon) by now apply exp_increasing. rewrite exp_0 in *.
      apply Rplus_lt_le_0_compat; [apply Rdiv_lt_0_compat; lra|]. unfold lost.
      apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat. lra.
    - lra.
    - apply (vectors_packed f g y (y, [])); try assumption; try lra.
      intros v Hv E. apply vectors_in in Hv. injection E as ->. simpl in Hv. lia.
  Qed.

  (** Two concepts that also agree somewhere, as among any three ([three_concepts]): the value on
      which they differ is rare. *)
  (* code: tacit.bounds.lower.two_concepts.label_vectors
     forall S, sublaw (m S) <- requires answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- check positive(epsilon) in tacit.bounds.lower.packing.Budget.of
     0 <= delta <- check probability(delta) in tacit.bounds.lower.packing.Budget.of
     approximate neighbours epsilon delta m <- requires is `(epsilon, delta)`-private
     forall S S', label S S' -> within neighbours cost S S' <- object tacit.bounds.lower.packing.Budget.of: steps = 2 if relation is Relation.ADD_REMOVE else 1
     (0 < k)%nat <- check whole(k)
     learns_many alpha beta n m <- requires answers well, with probability `1 - beta`, for every distribution of a family
     member f <- object tacit.bounds.lower.two_concepts.label_vectors: Each of ``k`` targets is one of two concepts
     member g <- object tacit.bounds.lower.two_concepts.label_vectors: Each of ``k`` targets is one of two concepts
     predict f x = predict g x <- object tacit.bounds.lower.two_concepts.label_vectors: if concepts >= 3:
     predict f y <> predict g y <- object tacit.bounds.lower.two_concepts.label_vectors: Each of ``k`` targets is one of two concepts
     0 <= alpha < 1 <- check probability(alpha) *)
  Theorem label_vectors f g (x y : X) edge : member f -> member g ->
    predict f x = predict g x -> predict f y <> predict g y -> 0 <= alpha < 1 ->
    phi n alpha (INR cost * epsilon) beta edge
    <= beta / (INR (2 ^ k) - 1) + lost epsilon delta.
  Proof.
    intros Hf Hg Hx Hy Ha. apply phi_limit; [assumption| |].
    - apply Rmult_le_pos; [apply pos_INR|lra].
    - intros q Hq. apply (vectors_packed f g y (x, repeat (predict f x) k)); try assumption; try lra.
      + intros v _ E. injection E as E _. subst. contradiction.
      + auto.
  Qed.
End Many.

(** Among three different concepts two agree somewhere and differ somewhere. *)
(* code: tacit.bounds.lower.two_concepts.label_vectors
   predict f a <> predict g a <- object tacit.bounds.lower.two_concepts.label_vectors: if concepts >= 3:
   predict f b <> predict h b <- object tacit.bounds.lower.two_concepts.label_vectors: if concepts >= 3:
   predict g c <> predict h c <- object tacit.bounds.lower.two_concepts.label_vectors: if concepts >= 3: *)
Theorem three_concepts {X H : Type} (predict : H -> X -> bool) (f g h : H) (a b c : X) :
  predict f a <> predict g a -> predict f b <> predict h b -> predict g c <> predict h c ->
  exists s t x y, (In s [f; g; h] /\ In t [f; g; h]) /\
    predict s x = predict t x /\ predict s y <> predict t y.
Proof.
  intros Hfg Hfh Hgh. destruct (Bool.bool_dec (predict f b) (predict g b)) as [E|N].
  - exists f, g, b, a. simpl. tauto.
  - (* there f differs from both, so these agree *)
    exists g, h, b, c. split; [simpl; tauto|]. split; [|assumption].
    destruct (predict f b), (predict g b), (predict h b); congruence.
Qed.
