(** Levels first: tacit.exact.levels, tacit.mechanisms.selection. *)
From Coq Require Import Reals Lra List Bool Lia ZArith Permutation.
From Tacit Require Import Sums Definitions Selection.
Import ListNotations.
Open Scope R_scope.

(** ** A level first, then a uniform member of it *)
Section Levels.
  Context {C : Type}.
  Variable eq_dec : forall r s : C, {r = s} + {r <> s}.
  Variable candidates : list C.
  Variable err : C -> Z.

  (** The distinct errors, and who has them. *)
  Definition levels : list Z := nodup Z.eq_dec (map err candidates).
  Definition members (e : Z) : list C := filter (fun r => Z.eqb (err r) e) candidates.
  Definition count (e : Z) : R := INR (length (members e)).

  (** A uniform member of level [e]. *)
  Definition uniform_member (e : Z) (r : C) : R :=
    if in_dec eq_dec r (members e) then / count e else 0.

  (** Draw a level by [level_law], then a uniform member of it. *)
  Definition level_first (level_law : Z -> R) (r : C) : R :=
    sum levels (fun e => level_law e * uniform_member e r).

  Lemma in_levels r : In r candidates -> In (err r) levels.
  Proof. intros H. apply nodup_In. now apply in_map. Qed.

  Lemma in_members r e : In r (members e) <-> In r candidates /\ err r = e.
  Proof. unfold members. rewrite filter_In, Z.eqb_eq. reflexivity. Qed.

  Lemma count_pos r : In r candidates -> 0 < count (err r).
  Proof.
    intros H. apply lt_0_INR. assert (Hm : In r (members (err r))) by now apply in_members.
    destruct (members (err r)); [contradiction|simpl; lia].
  Qed.

  (** Adding up level by level is adding up. *)
  Lemma sum_by_level f : sum candidates f = sum levels (fun e => sum (members e) f).
  Proof.
    unfold levels, members.
    assert (G : forall keys, NoDup keys -> (forall r, In r candidates -> In (err r) keys) ->
      sum candidates f = sum keys (fun e => sum (filter (fun r => Z.eqb (err r) e) candidates) f)).
    { intros keys Hd Hk.
      rewrite (sum_ext keys _ (fun e => sum candidates (fun r => if Z.eqb (err r) e then f r else 0)))
        by (intros; apply sum_filter).
      rewrite sum_swap. apply sum_ext. intros r Hr.
      rewrite (sum_ext keys _ (fun e => if Z.eqb e (err r) then f r else 0))
        by (intros; rewrite Z.eqb_sym; reflexivity).
      rewrite (sum_pick Z.eqb keys (err r) (fun _ => f r)); [|apply Z.eqb_eq|assumption].
      assert (E : existsb (fun x => Z.eqb x (err r)) keys = true).
      { apply existsb_exists. exists (err r). split; [auto|apply Z.eqb_refl]. }
      now rewrite E. }
    apply G; [apply NoDup_nodup|]. intros r Hr. now apply in_levels.
  Qed.

  (** Any law that gives equal errors equal probability is drawn by a level first. *)
  (* code: tacit.mechanisms.selection.Exponential
     In r candidates <- requires $R$ is finite, not empty, and lists each candidate once *)
  Theorem level_first_law (q : Z -> R) r :
    In r candidates -> level_first (fun e => count e * q e) r = q (err r).
  Proof.
    intros Hr. unfold level_first.
    rewrite (sum_ext _ _ (fun e => if Z.eqb e (err r) then q e else 0)).
    - rewrite (sum_pick Z.eqb levels (err r) q); [|apply Z.eqb_eq|apply NoDup_nodup].
      assert (E : existsb (fun x => Z.eqb x (err r)) levels = true).
      { apply existsb_exists. exists (err r). split; [now apply in_levels|apply Z.eqb_refl]. }
      now rewrite E.
    - intros e _. unfold uniform_member. destruct (in_dec eq_dec r (members e)) as [H|H].
      + apply in_members in H as [_ <-]. rewrite Z.eqb_refl.
        assert (Hc := count_pos r Hr). field. lra.
      + destruct (Z.eqb e (err r)) eqn:E; [|lra]. apply Z.eqb_eq in E; subst.
        exfalso. apply H. now apply in_members.
  Qed.
End Levels.

(** Drawing level [e] with weight [count e * exp (- rate * e)] and then a uniform member is
    the exponential mechanism. *)
(* code: tacit.mechanisms.selection.Exponential
*)
Theorem levels_first_exponential {D C} (eq_dec : forall r s : C, {r = s} + {r <> s})
  (candidates : list C) (err : D -> C -> Z) (rate : R) (S : D) (r : C) :
  level_first eq_dec candidates (err S)
    (fun e => count candidates (err S) e * exp (- rate * IZR e)
              / sum (levels candidates (err S))
                    (fun e' => count candidates (err S) e' * exp (- rate * IZR e'))) r
  = exponential eq_dec candidates (fun S r => IZR (err S r)) rate S r.
Proof.
  assert (Ht : sum (levels candidates (err S))
                 (fun e' => count candidates (err S) e' * exp (- rate * IZR e'))
               = total candidates (fun S r => IZR (err S r)) rate S).
  { unfold total. rewrite (sum_by_level candidates (err S)). apply sum_ext. intros e _.
    unfold count. rewrite <- sum_const. apply sum_ext. intros x Hx.
    apply in_members in Hx as [_ <-]. reflexivity. }
  assert (Hp : In r candidates -> 0 < total candidates (fun S r => IZR (err S r)) rate S).
  { intros Hr. apply total_pos. intros E. now rewrite E in Hr. }
  set (W := total candidates _ rate S) in *. rewrite Ht. unfold exponential.
  destruct (in_dec eq_dec r candidates) as [Hr|Hr].
  - transitivity (exp (- rate * IZR (err S r)) / W); [|reflexivity].
    rewrite <- (level_first_law eq_dec candidates (err S) (fun e => exp (- rate * IZR e) / W) r Hr).
    unfold level_first. apply sum_ext. intros e _. field. specialize (Hp Hr). lra.
  - apply sum_zero. intros e _. unfold uniform_member.
    destruct (in_dec _ _ _) as [H|H]; [|lra]. apply in_members in H. tauto.
Qed.
