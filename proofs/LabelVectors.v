(** Learning k targets at once: Theorem 52 of Bun, Nissim and Stemmer as an instance of the
    packing bound (tacit.bounds.lower.two_concepts.label_vectors). *)
From Coq Require Import Reals Lra List Bool Lia Arith.
From Tacit Require Import Sums Definitions Composition Groups Packing.
Import ListNotations.
Open Scope R_scope.

Section LabelVectors.
  Context {O : Type}.

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

  Lemma repeat_within (v w : list bool) n before :
    within replace_one n (before ++ repeat v n) (before ++ repeat w n).
  Proof.
    revert before. induction n as [|n IH]; intros before; [reflexivity|].
    exists (before ++ w :: repeat v n). split.
    - now exists before, v, w, (repeat v n).
    - specialize (IH (before ++ [w])). rewrite <- !app_assoc in IH. exact IH.
  Qed.

  (** All records show the one value on which the two concepts differ, each with its [k]
      labels; [read] is what an answer says there. Answering every vector of labels needs
      [ln ((2^k - 1) (1 - beta) / beta) / epsilon] records. *)
  (* code: tacit.bounds.lower.two_concepts.label_vectors
     (0 < k)%nat <- check whole(k)
     NoDup outcomes <- requires finitely many answers, each listed once, whose probabilities add up to 1
     (forall S, sublaw (m S)) <- requires finitely many answers, each listed once, whose probabilities add up to 1
     0 < epsilon <- object tacit.bounds.lower.packing.Budget.of
     0 < beta < 1 <- check probability(beta)
     pure replace_one epsilon m <- requires is `(epsilon, delta)`-private
     (forall v, In v (vectors k) -> 1 - beta <= probability outcomes (m (repeat v n)) (fun o => if vector_dec (read o) v then true else false)) <- requires answers well, with probability `1 - beta`, for every distribution of a family *)
  Theorem label_vectors (m : mechanism (list (list bool)) O) (outcomes : list O)
    (read : O -> list bool) (k n : nat) (epsilon beta : R) :
    (0 < k)%nat -> NoDup outcomes -> (forall S, sublaw (m S)) -> 0 < epsilon -> 0 < beta < 1 ->
    pure replace_one epsilon m ->
    (forall v, In v (vectors k) ->
       1 - beta <= probability outcomes (m (repeat v n))
                     (fun o => if vector_dec (read o) v then true else false)) ->
    ln ((INR (2 ^ k) - 1) * (1 - beta) / beta) / epsilon <= INR n.
  Proof.
    intros Hk Hd Hl He Hb Hp Ha.
    set (case := fun v => (repeat v n, fun o => if vector_dec (read o) v then true else false)).
    assert (Hn := vectors_nodup k). rewrite <- (vectors_length k).
    assert (Htwo : (2 <= length (vectors k))%nat).
    { rewrite vectors_length. destruct k; [lia|]. simpl. assert (2 ^ k <> 0)%nat by (apply Nat.pow_nonzero; lia). lia. }
    destruct (vectors k) as [|v0 vs] eqn:E; [simpl in Htwo; lia|].
    replace (length (v0 :: vs)) with (length (case v0 :: map case vs)) by (simpl; now rewrite map_length).
    apply (everything replace_one m outcomes epsilon beta (case v0) (map case vs) n); try assumption.
    - intros c Hc. apply in_map_iff in Hc. destruct Hc as (v & <- & _). exists n. split; [lia|].
      exact (repeat_within v v0 n []).
    - intros c [<-|Hc]; [apply Ha; now left|]. apply in_map_iff in Hc. destruct Hc as (v & <- & Hv).
      apply Ha. now right.
    - intros o _. change (case v0 :: map case vs) with (map case (v0 :: vs)). rewrite sum_map.
      clear - Hn. induction Hn as [|v l Hv Hl IH]; [simpl; lra|]. rewrite sum_cons.
      destruct (vector_dec (read o) v) as [R|R].
      + rewrite sum_zero; [unfold one; destruct (snd (case v) o); lra|].
        intros w Hw. unfold one, case; simpl. destruct (vector_dec (read o) w) as [R'|]; [|reflexivity].
        congruence.
      + replace (one (snd (case v) o)) with 0; [lra|]. unfold one, case; simpl.
        destruct (vector_dec (read o) v); [contradiction|reflexivity].
    - intros E'. apply map_eq_nil in E'. subst. simpl in Htwo. lia.
  Qed.
End LabelVectors.
