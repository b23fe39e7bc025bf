(** A PAC learner run on records drawn with replacement is an empirical learner: Theorem 28
    of Bun, Nissim and Stemmer (tacit.mechanisms.amplification, Theorem 2). *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Composition Resampling.
Import ListNotations.
Open Scope R_scope.

Section Empirical.
  Context {Z : Type}.
  Variable eq_dec : forall x y : Z, {x = y} + {x <> y}.
  Variable S : list Z.
  Hypothesis some : (0 < length S)%nat.

  Definition values : list Z := nodup eq_dec S.

  (** The share of each value among the records. *)
  Definition share (z : Z) : R := INR (count_occ eq_dec S z) / INR (length S).

  Lemma size_positive : 0 < INR (length S).
  Proof. now apply lt_0_INR. Qed.

  (** A sum over records is a sum over values, each as often as it occurs. *)
  Lemma sum_counts (l T : list Z) (f : Z -> R) : NoDup l -> incl T l ->
    sum l (fun z => INR (count_occ eq_dec T z) * f z) = sum T f.
  Proof.
    intros Hl. induction T as [|x T IH]; intros Hi.
    - apply sum_zero. intros z _. simpl. ring.
    - rewrite sum_cons, <- IH by (intros z Hz; apply Hi; now right).
      rewrite <- (sum_indicator eq_dec l x (f x) Hl) by (apply Hi; now left).
      rewrite <- sum_plus. apply sum_ext. intros z _. simpl count_occ.
      destruct (eq_dec x z) as [->|]; [rewrite S_INR; ring|ring].
  Qed.

  Lemma sum_share (f : Z -> R) : sum values (fun z => share z * f z) = / INR (length S) * sum S f.
  Proof.
    pose proof size_positive as Hm. rewrite <- (sum_counts values S f).
    - rewrite <- sum_scal. apply sum_ext. intros z _. unfold share. field. lra.
    - apply NoDup_nodup.
    - intros z Hz. now apply nodup_In.
  Qed.

  Lemma share_law : finite_law values share.
  Proof.
    pose proof size_positive as Hm. repeat split.
    - apply NoDup_nodup.
    - intros z. unfold share. apply Rmult_le_pos; [apply pos_INR|]. left. now apply Rinv_0_lt_compat.
    - intros z Hz. unfold share. rewrite (proj1 (count_occ_not_In eq_dec S z)).
      + simpl. unfold Rdiv. ring.
      + intros Hin. apply Hz. now apply nodup_In.
    - rewrite (sum_ext values _ (fun z => share z * 1)) by (intros; ring).
      rewrite sum_share, sum_const. field. lra.
  Qed.

  (** Draws with replacement are independent records from that law. *)
  Lemma draws_are_independent n (g : list Z -> R) :
    sum (samples values n) (fun T => sample_mass share T * g T) = mean S n g.
  Proof.
    revert g. induction n as [|n IH]; intros g; [rewrite mean_0; simpl; ring|].
    rewrite mean_S by exact some. simpl samples. rewrite sum_flat_map.
    rewrite <- sum_share. apply sum_ext. intros z _.
    rewrite sum_map, <- (IH (fun T => g (z :: T))), <- sum_scal.
    apply sum_ext. intros T _. simpl. ring.
  Qed.
End Empirical.

Section EmpiricalLearner.
  Context {X H : Type}.
  Variable eq_dec : forall x y : X * bool, {x = y} + {x <> y}.
  Variable rules : list H.
  Variable predict : H -> X -> bool.

  Lemma error_is_empirical (S : list (X * bool)) (h : X -> bool) : (0 < length S)%nat ->
    error (values eq_dec S) (share eq_dec S) h = empirical_error h S.
  Proof.
    intros HS. unfold error, empirical_error.
    rewrite (sum_share eq_dec S HS (fun z => INR (wrong h z))). unfold Rdiv. rewrite Rmult_comm.
    f_equal. unfold mistakes. clear HS. induction S as [|z S IH]; [reflexivity|].
    rewrite sum_cons, IH. simpl. now rewrite plus_INR.
  Qed.

  (* code: tacit.mechanisms.amplification.Resampled
     pac alpha beta draws rules predict inner <- requires for Theorem 2 `inner` is an (alpha, beta)-accurate PAC learner from `draws` records
     (0 < length S)%nat <- check whole(records) for length S
     (exists c, In c rules /\ forall z, In z S -> predict c (fst z) = snd z) <- requires some rule of the class is right on all of the data *)
  Theorem resampled_is_empirical (inner : mechanism (list (X * bool)) H) draws alpha beta S :
    pac alpha beta draws rules predict inner ->
    (0 < length S)%nat ->
    (exists c, In c rules /\ forall z, In z S -> predict c (fst z) = snd z) ->
    sum rules (fun h => if Rlt_dec alpha (empirical_error (predict h) S)
                        then resampled draws inner S h else 0) <= beta.
  Proof.
    intros Hpac HS (c & Hc & Hright).
    eapply Rle_trans; [right|apply (Hpac (values eq_dec S) (share eq_dec S))].
    - rewrite (draws_are_independent eq_dec S HS draws (fun T => sum rules (fun h =>
        if Rlt_dec alpha (error (values eq_dec S) (share eq_dec S) (predict h)) then inner T h else 0))).
      unfold mean, resampled. rewrite sum_swap, <- sum_scal. apply sum_ext. intros h _.
      rewrite error_is_empirical by assumption. destruct (Rlt_dec _ _); [reflexivity|].
      rewrite sum_zero; [ring|reflexivity].
    - split; [now apply share_law|]. exists c. split; [assumption|]. intros z Hz _.
      apply Hright. now apply (nodup_In eq_dec).
  Qed.
End EmpiricalLearner.
