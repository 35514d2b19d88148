using Ripple.Engine.Frontier;
using Ripple.Engine.Frontier.Waits;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Gms.Frontier;

/// <summary>How the end of a wait is told.</summary>
internal static class WaitAnswers
{
    /// <summary>The size limit of each of an answer's two member lists, so that both and the text fit one control frame.</summary>
    private const int NamedBytesMax = 60_000;

    /// <summary>The answer to a wait that ended.</summary>
    public static WaitResult Of(uint call, uint generation, FrontierWaitResult result) => new(
        call,
        ErrorCode.None,
        result.Text,
        (byte)result.Outcome,
        (uint)result.Total,
        [.. Fitting(result.Members)],
        [.. Fitting(result.Discounted)],
        generation);

    /// <summary>The answer to a wait for a release of a generation that ended: no member gets there any more.</summary>
    public static WaitResult Ended(uint call, uint generation, FrontierTable table) => new(
        call,
        ErrorCode.None,
        FrontierWait.OfEndedGeneration(generation, table),
        (byte)FrontierWaitOutcome.CannotHold,
        0,
        [],
        [],
        generation);

    /// <summary>The answer to a wait that did not begin.</summary>
    public static WaitResult Refused(uint call, Refusal refusal) => new(call, refusal.Code, refusal.Text, 0, 0, [], []);

    /// <summary>As many members as fit half a control frame; the total gives their actual number.</summary>
    private static IEnumerable<WaitMember> Fitting(IEnumerable<FrontierWaitMember> members)
    {
        int bytes = 0;
        foreach (FrontierWaitMember member in members)
        {
            bytes += 64 + (3 * (member.Name.Length + member.Reason.Length));
            if (bytes > NamedBytesMax)
            {
                yield break;
            }

            yield return new WaitMember(member.Node, member.Name, member.Value, member.Reason);
        }
    }
}
