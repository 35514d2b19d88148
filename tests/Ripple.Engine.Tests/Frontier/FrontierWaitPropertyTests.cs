using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Frontier.Predicates;
using Ripple.Engine.Frontier.Waits;

namespace Ripple.Engine.Tests.Frontier;

/// <summary>
/// Random histories of small tables: what waits say is checked against naive evaluation and an exhaustive search of futures.
/// </summary>
public sealed class FrontierWaitPropertyTests
{
    private const ulong Release = 3;
    private const int AppliedSlot = 4;

    [Fact]
    public void Waits_say_held_and_cannot_hold_exactly_when_a_naive_search_does()
    {
        int[] outcomes = new int[3];
        int pending = 0;
        for (ulong seed = 1; seed <= 3_000; seed++)
        {
            DeterministicRandom random = new(seed);
            RandomTable some = new(random, membersMax: 5, valueMax: 2);
            (string text, Func<Func<int, int, ulong>, ulong> naive) = some.MakePredicate(depth: 2);
            WaitRig rig = new(some.Table);
            rig.Start(text, Release, timeoutNs: null, countLeft: true);
            for (int step = 0; step < 15; step++)
            {
                Check();
                if (rig.Results.Count > 0)
                {
                    break;
                }

                Disturb(random, some);
                rig.Evaluate();
            }

            Check();
            if (rig.Results.Count == 0)
            {
                pending++;
            }
            else
            {
                outcomes[(int)rig.Results[0].Outcome]++;
            }

            void Check()
            {
                bool holds = naive(some.Read) >= Release;
                FrontierWaitOutcome? expected = holds
                    ? FrontierWaitOutcome.Held
                    : CanEverHold(some, naive) ? null : FrontierWaitOutcome.CannotHold;
                FrontierWaitOutcome? said = rig.Results.Count == 0 ? null : rig.Results[0].Outcome;
                Assert.True(expected == said, $"seed {seed}: {text}: expected {expected}, said {said}");
                if (said == FrontierWaitOutcome.CannotHold)
                {
                    Assert.NotEmpty(rig.Results[0].Members);
                }
            }
        }

        Assert.True(
            outcomes[0] > 300 && outcomes[1] > 300 && pending > 300,
            $"held {outcomes[0]}, cannot hold {outcomes[1]}, pending {pending}: too one-sided to prove much");
    }

    [Fact]
    public void With_discounting_held_means_that_a_fresh_binding_to_those_that_remain_holds()
    {
        int held = 0;
        for (ulong seed = 1; seed <= 2_000; seed++)
        {
            DeterministicRandom random = new(seed);
            RandomTable some = new(random, membersMax: 6, valueMax: 4);
            string text = some.MakePredicate(depth: 1).Text;
            WaitRig rig = new(some.Table);
            FrontierWait wait = rig.Start(text, Release);
            for (int step = 0; step < 20 && rig.Results.Count == 0; step++)
            {
                Disturb(random, some);
                rig.Evaluate();
                List<FrontierRow> remaining = [.. some.Rows.Where(row => !row.IsGone)];
                BindingContext context = new() { Table = some.Table, Members = remaining };
                if (Tables.Parse(text).TryBind(context, out BoundPredicate? fresh, out _))
                {
                    // Nothing dropped out of an operator and every k still makes sense: discounting is binding without them.
                    ulong value = fresh.Evaluate();
                    Assert.True(value == wait.Bound.Evaluate(), $"seed {seed}: {text}: {wait.Bound.Evaluate()}, bound afresh {value}");
                    Assert.Equal(value >= Release, rig.Results.Any(r => r.Outcome == FrontierWaitOutcome.Held));
                    held += value >= Release ? 1 : 0;
                }
            }
        }

        Assert.True(held > 300, $"only {held} were held");
    }

    private static void Disturb(DeterministicRandom random, RandomTable some)
    {
        FrontierRow row = some.Rows[random.NextInt32(some.Rows.Count)];
        switch (random.NextInt32(8))
        {
            case 0:
                some.Table.SetStatus(row, random.NextBool(0.5) ? MemberStatus.Left : MemberStatus.Failed);
                break;
            case 1:
                some.Table.Reject(row, 1, (ulong)random.NextInt32(5), "no", random.NextBool(0.5));
                break;
            case 2:
                some.Table.SetStatus(row, random.NextBool(0.5) ? MemberStatus.Silent : MemberStatus.Present);
                break;
            default:
                some.Table.Advance(row, 1, random.NextInt32(3), (ulong)random.NextInt32(5), random.NextBool(0.6));
                break;
        }
    }

    /// <summary>
    /// Tries, for every member and level, staying and getting to the release, as far as the rules allow. A level that came directly came
    /// without ".direct" too; the others are free of each other, which the search makes the most of.
    /// </summary>
    private static bool CanEverHold(RandomTable some, Func<Func<int, int, ulong>, ulong> naive)
    {
        List<(int Member, int Slot)> open = [];
        for (int member = 0; member < some.Rows.Count; member++)
        {
            FrontierRow row = some.Rows[member];
            for (int slot = 0; slot < 6; slot++)
            {
                // Who asks for direct evidence believes only what the member said itself.
                IReadOnlyList<FrontierRejection> rejections = slot % 2 == 1 ? row.DirectRejections : row.Rejections;
                bool isRefused = slot >= AppliedSlot && row.Applied < Release && rejections.Any(r => r.Release == Release);
                if (!row.IsGone && !isRefused && some.Read(member, slot) < Release)
                {
                    open.Add((member, slot));
                }
            }
        }

        // Every subset of up to 2^8 when there are few; else all together, which by monotony (tested for itself) is the best of them.
        int subsets = open.Count <= 8 ? 1 << open.Count : 1;
        for (int subset = subsets - 1; subset >= 0; subset--)
        {
            HashSet<(int Member, int Slot)> reached = [.. open.Where((_, i) => subsets == 1 || ((subset >> i) & 1) == 1)];
            if (naive((member, slot) => reached.Contains((member, slot)) ? Release : some.Read(member, slot)) >= Release)
            {
                return true;
            }
        }

        return false;
    }
}
