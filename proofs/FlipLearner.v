(** The generic learner with permute-and-flip (tacit.problems.finite.finite_class, selector
    "permute-and-flip"): in the realizable case a wrong rule has to win a fair draw against a
    right one, so half of the failure probability is saved. *)
From Coq Require Import Reals Lra List Bool Lia Classical.
From Tacit Require Import Sums Definitions Selection Composition MasterBound GenericLearner Coins Flips.
Import ListNotations.
Open Scope R_scope.

Lemma picks_firsts {C} (l : list C) (g : C -> R) : sum (picks l) (fun p => g (fst p)) = sum l g.
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [picks]. rewrite !sum_cons, sum_map. cbn [fst].
  now rewrite IH.
Qed.

(** Somebody whose coin always shows heads comes first with probability a half. *)
Lemma spared_half {C} (eq_dec : forall r s : C, {r = s} + {r <> s}) (coin : C -> R) n :
  forall l o, coins coin -> NoDup l -> In o l -> coin o = 1 -> length l = n ->
  spared coin n l <= 1 / 2.
Proof.
  induction n as [|n IH]; intros l o Hc Hd Ho H1 Hl.
  - destruct l; [contradiction|discriminate].
  - cbn [spared]. assert (Hpos : 0 < INR (length l)) by (rewrite Hl; apply lt_0_INR; lia).
    assert (Hsum : sum (picks l) (fun p => (1 - coin (fst p)) * spared coin n (snd p))
                   <= 1 / 2 * (INR (length l) - 1)).
    { apply Rle_trans with (sum (picks l) (fun p => 1 / 2 - 1 / 2 * (if eq_dec (fst p) o then 1 else 0))).
      - apply sum_le. intros [x rest] Hin. cbn [fst snd].
        destruct (picks_rest l x rest Hin) as (_ & _ & Hlen & Hother & Hnd).
        destruct (Hnd Hd) as [_ Hnd']. destruct (eq_dec x o) as [->|Hx]; [rewrite H1; lra|].
        assert (Hin' : In o rest) by (destruct (Hother o Ho); [congruence|assumption]).
        assert (S1 : spared coin n rest <= 1 / 2) by (apply (IH rest o); auto; lia).
        assert (C1 := Hc x).
        assert ((1 - coin x) * spared coin n rest <= (1 - coin x) * (1 / 2))
          by (apply Rmult_le_compat_l; lra).
        assert ((1 - coin x) * (1 / 2) <= 1 * (1 / 2)) by (apply Rmult_le_compat_r; lra). lra.
      - rewrite sum_minus, sum_const, sum_scal, picks_length.
        rewrite (picks_firsts l (fun x => if eq_dec x o then 1 else 0)).
        assert (1 <= sum l (fun x => if eq_dec x o then 1 else 0)); [|lra].
        pose proof (sum_term l (fun x => if eq_dec x o then 1 else 0) o Ho) as T. cbn beta in T.
        destruct (eq_dec o o) as [_|]; [|congruence]. apply T.
        intros x _. destruct (eq_dec x o); lra. }
    apply Rmult_le_reg_r with (INR (length l) + 1); [lra|]. unfold Rdiv at 1.
    rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma remove_nodup {C} (eq_dec : forall r s : C, {r = s} + {r <> s}) (l : list C) a :
  NoDup l -> NoDup (remove eq_dec a l).
Proof.
  induction 1 as [|x l Hx Hd IH]; cbn; [constructor|]. destruct (eq_dec a x); [assumption|].
  constructor; [|assumption]. intros Hin. now apply in_remove in Hin as [Hin _].
Qed.

Section FlipLearner.
  Context {X H : Type}.
  Variable predict : H -> X -> bool.
  Variable eq_dec : forall r s : H, {r = s} + {r <> s}.
  Variable rules : list H.

  Definition flip_learner (rate : R) : mechanism (list (X * bool)) H :=
    permute_and_flip eq_dec rules (mistake_score predict) rate.

  Lemma flip_against rate S h h0 : 0 < rate -> NoDup rules -> In h rules -> In h0 rules ->
    mistake_score predict S h0 = 0 ->
    flip_learner rate S h
    <= (if eq_dec h h0 then 1 else 1 / 2)
       * exp (- rate * (mistake_score predict S h - mistake_score predict S h0)).
  Proof.
    intros Hr Hd Hh Hh0 H0.
    set (score := mistake_score predict) in *. set (c := coin eq_dec rules score rate S).
    assert (Hne : rules <> []) by (intros E; rewrite E in Hh; contradiction).
    assert (Hleast : least rules score S = score S h0).
    { apply Rle_antisym; [now apply least_le|]. rewrite H0.
      destruct (least_reached rules score S Hne) as (r & _ & <-). apply pos_INR. }
    assert (Hcoin : forall r, In r rules -> c r = exp (- rate * (score S r - score S h0))).
    { intros r Hin. unfold c, coin. destruct (in_dec eq_dec r rules) as [_|]; [|contradiction].
      now rewrite Hleast. }
    assert (Hone : c h0 = 1).
    { rewrite Hcoin by assumption. rewrite Rminus_eq_0, Rmult_0_r. apply exp_0. }
    rewrite <- (Hcoin h Hh).
    destruct (eq_dec h h0) as [->|Hneq].
    - rewrite Hone, Rmult_1_r.
      pose proof (permute_and_flip_law eq_dec rules score rate S (Rlt_le _ _ Hr) Hd Hne) as L.
      apply finite_law_law, law_sublaw in L. destruct L as [_ L].
      specialize (L [h0]). rewrite sum_cons, sum_nil, Rplus_0_r in L. apply L.
      repeat constructor. simpl; tauto.
    - unfold flip_learner, permute_and_flip, first_heads. fold score. fold c.
      destruct (length rules) as [|n] eqn:E; [destruct rules; [contradiction|discriminate]|].
      rewrite (flip_spared eq_dec c n rules h Hd Hh E), Rmult_comm.
      apply Rmult_le_compat_r; [apply (coin_coins eq_dec rules score rate S (Rlt_le _ _ Hr) h)|].
      apply (spared_half eq_dec c n (remove eq_dec h rules) h0).
      + now apply coin_coins, Rlt_le.
      + now apply remove_nodup.
      + apply in_in_remove; congruence.
      + assumption.
      + pose proof (remove_length_in eq_dec rules h Hd Hh). lia.
  Qed.

  (** On every sample that can occur the target makes no mistake. *)
  Lemma target_right examples p c S : finite_law examples p ->
    (forall z, In z examples -> 0 < p z -> predict c (fst z) = snd z) ->
    0 < sample_mass p S -> mistake_score predict S c = 0.
  Proof.
    intros (_ & Hp & Hz & _) Hc. unfold mistake_score, mistakes.
    induction S as [|z S IH]; intros HS; [reflexivity|]. simpl in HS.
    assert (Hpz : 0 < p z).
    { destruct (Hp z) as [|E]; [assumption|]. rewrite <- E, Rmult_0_l in HS. lra. }
    assert (HS' : 0 < sample_mass p S).
    { destruct (sample_mass_nonneg p Hp S) as [|E]; [assumption|]. rewrite <- E, Rmult_0_r in HS. lra. }
    assert (Hin : In z examples) by (apply NNPP; intros N; rewrite (Hz z N) in Hpz; lra).
    simpl. rewrite plus_INR, (IH HS'). unfold wrong. rewrite (Hc z Hin Hpz), Bool.eqb_reflx.
    simpl. ring.
  Qed.

  (** Theorem 1 of selection.proof.md for permute-and-flip and [rho = 0]. *)
  (* code: tacit.bounds.upper.selection.realizable
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     0 < rate <- object tacit.bounds.upper.selection._realizable: full = epsilon / spread(relation)
     0 <= alpha <= 1 <- check probability(alpha)
     realizable rules predict examples p <- requires in Theorem 1 its error is at most `rho` *)
  Theorem flip_selection_realizable examples p rate alpha n :
    NoDup rules -> 0 < rate -> 0 <= alpha <= 1 -> realizable rules predict examples p ->
    released_wrong predict rules examples p alpha (flip_learner rate) n
    <= (INR (length rules) - 1) / 2 * (1 - alpha * (1 - exp (- rate))) ^ n.
  Proof.
    intros Hd Hr Ha (Hlaw & c & Hin & Hc).
    assert (H0 : error examples p (predict c) = 0).
    { unfold error. apply sum_zero. intros z Hz. destruct Hlaw as (_ & Hp & _).
      destruct (Hp z) as [Hpos|<-]; [|lra].
      unfold wrong. rewrite (Hc z Hz Hpos), Bool.eqb_reflx. simpl. lra. }
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    pose proof (exp_pos (- rate)) as Hpos.
    assert (HF : 0 <= 1 - alpha * (1 - exp (- rate))).
    { assert (alpha * (1 - exp (- rate)) <= 1 * (1 - exp (- rate))) by (apply Rmult_le_compat_r; lra).
      lra. }
    eapply Rle_trans; [apply (master_bound predict rules examples p Hlaw rate alpha
      (1 - alpha * (1 - exp (- rate))) c n _
      (fun h => if eq_dec h c then 1 else 1 / 2))|].
    - intros h. destruct (eq_dec h c); lra.
    - intros S h Hh HS. apply flip_against; try assumption. now apply (target_right examples p).
    - intros h _ Hh.
      pose proof (realizable_factor predict examples p Hlaw rate alpha 0 h c Hr Hh (Req_le _ _ H0)). lra.
    - apply Rmult_le_compat_r; [now apply pow_le|].
      apply Rle_trans with (1 / 2 * sum rules (fun h =>
        if Rlt_dec alpha (error examples p (predict h)) then 1 else 0)).
      + rewrite <- sum_scal. apply sum_le. intros h _. destruct (Rlt_dec _ _) as [L|]; [|lra].
        destruct (eq_dec h c) as [->|]; [exfalso; lra|lra].
      + pose proof (wrong_rules predict rules examples p alpha c Hd Hin). lra.
  Qed.

  (** The accuracy of the code's sample size, at any rate. *)
  (* code: tacit.bounds.upper.selection.realizable
     0 < alpha <= 1 <- check probability(alpha)
     0 < beta <- check probability(beta)
     0 < rate <- object tacit.bounds.upper.selection._realizable: full = epsilon / spread(relation)
     NoDup rules <- requires `H` is finite and public, and lists each rule once
     rules <> [] <- requires `h0`, a rule of `H`, is fixed before the records are drawn
     ln ((INR (length rules) - 1) / 2 / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem flip_learner_accurate alpha beta rate n :
    0 < alpha <= 1 -> 0 < beta -> 0 < rate -> NoDup rules -> rules <> [] ->
    ln ((INR (length rules) - 1) / 2 / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    pac alpha beta n rules predict (flip_learner rate).
  Proof.
    intros Ha Hb Hr Hd Hne Hn examples p Hreal.
    assert (Hdown : exp (- rate) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    pose proof (exp_pos (- rate)) as Hpos.
    assert (0 < alpha * (1 - exp (- rate))) by (apply Rmult_lt_0_compat; lra).
    assert (alpha * (1 - exp (- rate)) <= 1 * (1 - exp (- rate))) by (apply Rmult_le_compat_r; lra).
    eapply Rle_trans; [apply (flip_selection_realizable examples p rate alpha n); try assumption; lra|].
    apply union_records; try assumption; [|lra].
    assert (1 <= INR (length rules)); [|lra].
    replace 1 with (INR 1) by reflexivity. apply le_INR. destruct rules; [congruence|simpl; lia].
  Qed.

  (** Private and accurate, with the number of records of the code: half as many wrong rules
      count as for the exponential selector. *)
  (* code: tacit.problems.finite.finite_class.FiniteClassLearner
     0 < epsilon <- requires $\varepsilon > 0$
     0 < alpha <= 1 <- check probability(alpha) in tacit.bounds.upper.selection.realizable
     0 < beta <- check probability(beta) in tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / 2 / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem flip_learner_replace_one alpha beta epsilon n :
    0 < epsilon -> 0 < alpha <= 1 -> 0 < beta -> NoDup rules -> rules <> [] ->
    let rate := epsilon / 2 in
    ln ((INR (length rules) - 1) / 2 / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    (forall S, finite_law rules (flip_learner rate S)) /\
    pure replace_one epsilon (flip_learner rate) /\
    pac alpha beta n rules predict (flip_learner rate).
  Proof.
    intros He Ha Hb Hd Hne rate Hn. assert (Hr : 0 < rate) by (unfold rate; lra).
    split; [intros S; apply permute_and_flip_law; auto; lra|]. split; [|now apply flip_learner_accurate].
    apply permute_and_flip_pure; try lra. apply mistakes_spread_replace_one.
  Qed.

  (* code: tacit.problems.finite.finite_class.FiniteClassLearner
     0 < epsilon <- requires $\varepsilon > 0$
     0 < alpha <= 1 <- check probability(alpha) in tacit.bounds.upper.selection.realizable
     0 < beta <- check probability(beta) in tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / 2 / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem flip_learner_label alpha beta epsilon n :
    0 < epsilon -> 0 < alpha <= 1 -> 0 < beta -> NoDup rules -> rules <> [] ->
    let rate := epsilon / 2 in
    ln ((INR (length rules) - 1) / 2 / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    (forall S, finite_law rules (flip_learner rate S)) /\
    pure label epsilon (flip_learner rate) /\
    pac alpha beta n rules predict (flip_learner rate).
  Proof.
    intros He Ha Hb Hd Hne rate Hn. assert (Hr : 0 < rate) by (unfold rate; lra).
    split; [intros S; apply permute_and_flip_law; auto; lra|]. split; [|now apply flip_learner_accurate].
    apply permute_and_flip_pure; try lra. apply mistakes_spread_label.
  Qed.

  (* code: tacit.problems.finite.finite_class.FiniteClassLearner
     0 < epsilon <- requires $\varepsilon > 0$
     0 < alpha <= 1 <- check probability(alpha) in tacit.bounds.upper.selection.realizable
     0 < beta <- check probability(beta) in tacit.bounds.upper.selection.realizable
     NoDup rules <- requires the class is finite, not empty, and lists each concept once
     rules <> [] <- requires the class is finite, not empty, and lists each concept once
     ln ((INR (length rules) - 1) / 2 / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n <- object tacit.bounds.upper.selection.union_records: ``ln(wrong / beta) / -ln(shrink)``: solves ``wrong * shrink**n = beta``. *)
  Theorem flip_learner_add_remove alpha beta epsilon n :
    0 < epsilon -> 0 < alpha <= 1 -> 0 < beta -> NoDup rules -> rules <> [] ->
    let rate := epsilon / 1 in
    ln ((INR (length rules) - 1) / 2 / beta) / - ln (1 - alpha * (1 - exp (- rate))) <= INR n ->
    (forall S, finite_law rules (flip_learner rate S)) /\
    pure add_remove epsilon (flip_learner rate) /\
    pac alpha beta n rules predict (flip_learner rate).
  Proof.
    intros He Ha Hb Hd Hne rate Hn. assert (Hr : 0 < rate) by (unfold rate; lra).
    split; [intros S; apply permute_and_flip_law; auto; lra|]. split; [|now apply flip_learner_accurate].
    apply permute_and_flip_pure; try lra. apply mistakes_spread_add_remove.
  Qed.
End FlipLearner.
