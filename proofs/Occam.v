(** What may be said of a rule with a public prior (tacit.bounds.upper.occam): Occam's bound
    on its true error, and how close a drawn rule comes to a fixed comparator. *)
From Coq Require Import Reals Lra List Bool Lia.
From Tacit Require Import Sums Definitions Selection Composition MasterBound.
Import ListNotations.
Open Scope R_scope.

(** The relative entropy of two coins. Where [x] is 0 its first term is 0. *)
Definition kl (x q : R) : R := x * ln (x / q) + (1 - x) * ln ((1 - x) / (1 - q)).

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H|H]; [left; now apply exp_increasing|right; now rewrite H]. Qed.

Lemma ln_quotient x y : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof.
  intros Hx Hy. unfold Rdiv. rewrite ln_mult; [|assumption|now apply Rinv_0_lt_compat].
  rewrite ln_Rinv by assumption. ring.
Qed.

(** The greatest number up to [n] with a property, if there is one. *)
Lemma greatest (bad : nat -> Prop) (dec : forall k, {bad k} + {~ bad k}) n :
  (forall k, (k <= n)%nat -> ~ bad k) \/
  exists g, (g <= n)%nat /\ bad g /\ forall k, (k <= n)%nat -> bad k -> (k <= g)%nat.
Proof.
  induction n as [|n IH].
  - destruct (dec 0%nat) as [B|B].
    + right. exists 0%nat. auto.
    + left. intros k Hk. now replace k with 0%nat by lia.
  - destruct (dec (S n)) as [B|B].
    + right. exists (S n). auto.
    + destruct IH as [IH|(g & Hg & Bg & IH)].
      * left. intros k Hk. destruct (Nat.eq_dec k (S n)) as [->|]; [assumption|]. apply IH. lia.
      * right. exists g. repeat split; [lia|assumption|]. intros k Hk Bk.
        destruct (Nat.eq_dec k (S n)) as [->|]; [contradiction|]. apply IH; [lia|assumption].
Qed.

(** ** Chernoff's bound for the number of mistakes of one rule *)
Section Chernoff.
  Context {X : Type}.
  Variable examples : list (X * bool).
  Variable p : X * bool -> R.
  Hypothesis lawful : finite_law examples p.
  Variable h : X -> bool.
  Let q := error examples p h.

  Lemma wrong_0_1 z : INR (wrong h z) = 0 \/ INR (wrong h z) = 1.
  Proof. unfold wrong. destruct (Bool.eqb _ _); simpl; auto. Qed.

  Lemma error_bounds : 0 <= q <= 1.
  Proof.
    destruct lawful as (_ & Hp & _ & H1). unfold q, error. split.
    - apply sum_nonneg. intros z _. destruct (wrong_0_1 z) as [-> | ->]; specialize (Hp z); lra.
    - rewrite <- H1. apply sum_le. intros z _. specialize (Hp z).
      destruct (wrong_0_1 z) as [-> | ->]; lra.
  Qed.

  (** The moment generating function, with [t] for [exp (- s)]; [t = 0] is allowed. *)
  Lemma mistakes_mgf t n :
    sum (samples examples n) (fun S => sample_mass p S * t ^ mistakes h S)
    = (1 - q + q * t) ^ n.
  Proof.
    rewrite (sum_ext _ _ (fun S => sample_mass p S * product (fun z => t ^ wrong h z) S)).
    - rewrite sample_product. f_equal. destruct lawful as (_ & _ & _ & H1). unfold q, error.
      rewrite (sum_ext examples _ (fun z => p z - p z * INR (wrong h z) + t * (p z * INR (wrong h z)))).
      + rewrite sum_plus, sum_minus, sum_scal, H1. ring.
      + intros z _. unfold wrong. destruct (Bool.eqb _ _); simpl; ring.
    - intros S _. f_equal. induction S as [|z S IH]; [reflexivity|].
      unfold mistakes, product in *. simpl. now rewrite pow_add, IH.
  Qed.

  (** At most [k] mistakes: for every [0 < t <= 1], probability at most [t ^ -k (1 - q + q t) ^ n]. *)
  Lemma few_mistakes t k n : 0 < t <= 1 ->
    sample_probability examples p n (fun S => Nat.leb (mistakes h S) k)
    <= (1 - q + q * t) ^ n / t ^ k.
  Proof.
    intros [Ht Ht1]. destruct lawful as (_ & Hp & _).
    unfold sample_probability, Rdiv. rewrite <- mistakes_mgf, <- sum_scal_r.
    apply sum_le. intros S _. assert (Hk : 0 < t ^ k) by now apply pow_lt.
    assert (Hm := sample_mass_nonneg p Hp S).
    destruct (Nat.leb_spec (mistakes h S) k) as [L|L].
    - rewrite Rmult_assoc. rewrite <- (Rmult_1_r (sample_mass p S)) at 1.
      apply Rmult_le_compat_l; [assumption|].
      apply Rmult_le_reg_r with (t ^ k); [assumption|].
      rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
      replace k with (mistakes h S + (k - mistakes h S))%nat by lia.
      rewrite pow_add. rewrite <- (Rmult_1_r (t ^ mistakes h S)) at 2.
      apply Rmult_le_compat_l; [apply pow_le; lra|].
      rewrite <- (pow1 (k - mistakes h S)). apply pow_incr. lra.
    - apply Rmult_le_pos; [apply Rmult_le_pos; [assumption|apply pow_le; lra]|].
      left. now apply Rinv_0_lt_compat.
  Qed.

  (** No mistake at all. *)
  Lemma no_mistakes n :
    sample_probability examples p n (fun S => Nat.leb (mistakes h S) 0) <= (1 - q) ^ n.
  Proof.
    replace ((1 - q) ^ n) with ((1 - q + q * 0) ^ n) by (f_equal; ring).
    rewrite <- mistakes_mgf. unfold sample_probability. right. apply sum_ext. intros S _.
    destruct (mistakes h S) as [|k]; simpl; ring.
  Qed.

  (** A share [k / n] below the error is as unlikely as the relative entropy says. *)
  Lemma chernoff k n : (0 < n)%nat -> INR k / INR n < q -> q < 1 ->
    sample_probability examples p n (fun S => Nat.leb (mistakes h S) k)
    <= exp (- (INR n * kl (INR k / INR n) q)).
  Proof.
    intros Hn Hx Hq1. assert (HN : 0 < INR n) by now apply lt_0_INR.
    assert (Hx0 : 0 <= INR k / INR n).
    { apply Rmult_le_pos; [apply pos_INR|]. left. now apply Rinv_0_lt_compat. }
    set (x := INR k / INR n) in *.
    assert (Hkx : INR k = x * INR n) by (unfold x; field; lra).
    destruct (Nat.eq_dec k 0) as [->|Hk].
    - eapply Rle_trans; [apply no_mistakes|]. right.
      assert (x = 0) as -> by (unfold x; simpl; lra). unfold kl.
      rewrite Rmult_0_l, Rplus_0_l, Rminus_0_r, Rmult_1_l.
      replace (1 / (1 - q)) with (/ (1 - q)) by (field; lra). rewrite ln_Rinv by lra.
      replace (- (INR n * - ln (1 - q))) with (INR n * ln (1 - q)) by ring.
      rewrite <- (Rpower_pow n (1 - q)) by lra. reflexivity.
    - assert (Hx1 : 0 < x).
      { unfold x. apply Rmult_lt_0_compat; [apply lt_0_INR; lia|now apply Rinv_0_lt_compat]. }
      set (t := x * (1 - q) / ((1 - x) * q)).
      assert (Hden : 0 < (1 - x) * q) by (apply Rmult_lt_0_compat; lra).
      assert (Ht0 : 0 < t).
      { unfold t. apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|].
        now apply Rinv_0_lt_compat. }
      assert (Ht1 : t <= 1).
      { apply Rmult_le_reg_r with ((1 - x) * q); [assumption|]. unfold t, Rdiv.
        rewrite Rmult_assoc, Rinv_l by lra. lra. }
      eapply Rle_trans; [apply (few_mistakes t k n); lra|]. right.
      replace (1 - q + q * t) with ((1 - q) / (1 - x)) by (unfold t; field; lra).
      assert (Hr : 0 < (1 - q) / (1 - x)) by (apply Rdiv_lt_0_compat; lra).
      rewrite <- (Rpower_pow n _ Hr), <- (Rpower_pow k t Ht0). unfold Rpower, Rdiv at 1.
      rewrite <- exp_Ropp, <- exp_plus. f_equal. rewrite Hkx. unfold kl, t.
      rewrite !ln_quotient by first [lra | apply Rmult_lt_0_compat; lra].
      rewrite !ln_mult by lra. ring.
  Qed.
End Chernoff.

(** ** Occam's bound *)
Section Occam.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable rules : list H.
  Variable prior : H -> R.
  Variable examples : list (X * bool).
  Variable p : X * bool -> R.
  Hypothesis lawful : finite_law examples p.
  Hypothesis prior_positive : forall h, In h rules -> 0 < prior h.
  Hypothesis prior_total : sum rules prior <= 1.

  (** The count [k] of mistakes is too low for the true error [q]. Where [q] is 1 the relative
      entropy is infinite, which no real number says: then every count below [n] is too low. *)
  Definition excluded (n : nat) (level q : R) (k : nat) : Prop :=
    INR k / INR n < q /\ (q = 1 \/ level < INR n * kl (INR k / INR n) q).

  Definition excluded_dec n level q k : {excluded n level q k} + {~ excluded n level q k}.
  Proof.
    unfold excluded. destruct (Rlt_dec (INR k / INR n) q); [|right; tauto].
    destruct (Req_EM_T q 1); [left; auto|].
    destruct (Rlt_dec level (INR n * kl (INR k / INR n) q)); [left; auto|right; tauto].
  Defined.

  Lemma mistakes_at_most (h : X -> bool) (S : list (X * bool)) : (mistakes h S <= length S)%nat.
  Proof.
    unfold mistakes. induction S as [|z S IH]; simpl; [lia|].
    unfold wrong at 1. destruct (Bool.eqb _ _); lia.
  Qed.

  Lemma samples_have_length {Z} (l : list Z) n S : In S (samples l n) -> length S = n.
  Proof.
    revert S. induction n as [|n IH]; simpl; intros S Hin; [destruct Hin as [<-|[]]; reflexivity|].
    apply in_flat_map in Hin. destruct Hin as (z & _ & Hin). apply in_map_iff in Hin.
    destruct Hin as (T & <- & HT). simpl. f_equal. now apply IH.
  Qed.

  Lemma excluded_unlikely (h : X -> bool) level n : (0 < n)%nat ->
    sample_probability examples p n (fun S =>
      if excluded_dec n level (error examples p h) (mistakes h S) then true else false)
    <= exp (- level).
  Proof.
    intros Hn. destruct lawful as (_ & Hp & _). set (q := error examples p h).
    assert (Hmono : forall e e' : list (X * bool) -> bool,
      (forall S, In S (samples examples n) -> e S = true -> e' S = true) ->
      sample_probability examples p n e <= sample_probability examples p n e').
    { intros e e' He. unfold sample_probability. apply sum_le. intros S HS.
      specialize (He S HS). pose proof (sample_mass_nonneg p Hp S) as M.
      destruct (e S); [rewrite He by reflexivity; lra|destruct (e' S); lra]. }
    assert (Hq := error_bounds examples p lawful h). fold q in Hq.
    destruct (greatest (excluded n level q) (excluded_dec n level q) n) as [None|(g & Hg & Bg & G)].
    - eapply Rle_trans; [apply (Hmono _ (fun _ => false))|].
      + intros S HS. destruct (excluded_dec _ _ _ _) as [B|]; [|discriminate]. exfalso.
        apply (None (mistakes h S)); [|assumption].
        rewrite <- (samples_have_length examples n S HS). apply mistakes_at_most.
      + unfold sample_probability. rewrite sum_zero by reflexivity. apply exp_ge_0.
    - apply Rle_trans with (sample_probability examples p n (fun S => Nat.leb (mistakes h S) g)).
      + apply Hmono. intros S HS. destruct (excluded_dec _ _ _ _) as [B|]; [|discriminate].
        intros _. apply Nat.leb_le. apply G; [|assumption].
        rewrite <- (samples_have_length examples n S HS). apply mistakes_at_most.
      + destruct Bg as [Bq Bl]. destruct (proj2 Hq) as [Hq1|Hq1].
        * destruct Bl as [Bl|Bl]; [lra|].
          eapply Rle_trans; [now apply (chernoff examples p lawful)|]. apply exp_le. fold q. lra.
        * (* a rule that always errs never makes few mistakes *)
          assert (Hgn : (g < n)%nat).
          { rewrite Hq1 in Bq. apply INR_lt. apply Rmult_lt_reg_r with (/ INR n).
            - apply Rinv_0_lt_compat. now apply lt_0_INR.
            - rewrite Rinv_r by (apply not_0_INR; lia). exact Bq. }
          apply Rle_trans with 0; [|apply exp_ge_0].
          assert (Hsmall : forall t, 0 < t <= 1 ->
            sample_probability examples p n (fun S => Nat.leb (mistakes h S) g) <= t).
          { intros t Ht. eapply Rle_trans; [apply (few_mistakes examples p lawful h t g n Ht)|].
            fold q. rewrite Hq1. replace (1 - 1 + 1 * t) with t by ring.
            replace n with (g + S (n - g - 1))%nat by lia. rewrite pow_add. unfold Rdiv.
            assert (0 < t ^ g) by now apply pow_lt.
            replace (t ^ g * t ^ S (n - g - 1) * / t ^ g) with (t ^ S (n - g - 1)) by (field; lra).
            assert (P : t ^ (n - g - 1) <= 1 ^ (n - g - 1)) by (apply pow_incr; lra).
            rewrite pow1 in P. apply Rle_trans with (t * 1); [|lra].
            apply Rmult_le_compat_l; [lra|exact P]. }
          destruct (Rle_or_lt (sample_probability examples p n (fun S => Nat.leb (mistakes h S) g)) 0)
            as [|L]; [assumption|].
          set (y := sample_probability examples p n (fun S => Nat.leb (mistakes h S) g)) in *.
          assert (y <= Rmin 1 (y / 2)).
          { apply Hsmall. split; [apply Rmin_glb_lt; lra|apply Rmin_l]. }
          assert (Rmin 1 (y / 2) <= y / 2) by apply Rmin_r. lra.
  Qed.

  (** Theorem 1 of occam.proof.md: but for probability [beta] over the records, no rule has
      fewer mistakes than its error and its prior allow. *)
  (* code: tacit.bounds.upper.occam.occam_error
     finite_law examples p <- requires `n` independent records from any distribution
     forall h, In h rules -> 0 < prior h <- check positive(prior) for prior h
     sum rules prior <= 1 <- requires a public prior `pi` over rules, positive and with sum at most 1, fixed before the records are drawn
     0 < beta <- check probability(beta)
     (0 < n)%nat <- check whole(n) unless n == 0 or mistakes >= n *)
  Theorem occam beta n : 0 < beta -> (0 < n)%nat ->
    sample_probability examples p n (fun S => existsb (fun h =>
      if excluded_dec n (ln (1 / (prior h * beta))) (error examples p (predict h))
           (mistakes (predict h) S) then true else false) rules)
    <= beta.
  Proof.
    intros Hb Hn. destruct lawful as (_ & Hp & _).
    set (bad := fun S h => if excluded_dec n (ln (1 / (prior h * beta)))
      (error examples p (predict h)) (mistakes (predict h) S) then true else false).
    apply Rle_trans with (sum rules (fun h => sample_probability examples p n (fun S => bad S h))).
    - unfold sample_probability. rewrite sum_swap. apply sum_le. intros S _.
      change (existsb _ rules) with (existsb (bad S) rules).
      pose proof (sample_mass_nonneg p Hp S) as M.
      clear prior_positive prior_total. induction rules as [|h l IH]; simpl; [lra|].
      assert (0 <= sum l (fun h => if bad S h then sample_mass p S else 0)).
      { apply sum_nonneg. intros k _. destruct (bad S k); lra. }
      destruct (bad S h); simpl; [lra|]. destruct (existsb (bad S) l) in *; lra.
    - apply Rle_trans with (sum rules (fun h => prior h * beta)).
      + apply sum_le. intros h Hh. specialize (prior_positive h Hh).
        assert (0 < prior h * beta) by now apply Rmult_lt_0_compat.
        eapply Rle_trans; [now apply (excluded_unlikely (predict h))|]. right.
        replace (1 / (prior h * beta)) with (/ (prior h * beta)) by (field; lra).
        rewrite ln_Rinv by assumption. rewrite Ropp_involutive. now apply exp_ln.
      + rewrite sum_scal_r. rewrite <- (Rmult_1_l beta) at 2. apply Rmult_le_compat_r; lra.
  Qed.
End Occam.
