using System.Runtime.CompilerServices;
using Ripple.Admin;
using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Asks for new releases of an application again and again. One caller at a time.</summary>
/// <param name="client">The cluster.</param>
/// <param name="application">The application.</param>
/// <param name="after">Begins after this release; null for the newest when it is asked first.</param>
/// <param name="interval">The time between two questions.</param>
internal sealed class ReleaseWatch(RippleAdminClient client, string application, ulong? after, TimeSpan interval)
{
    /// <summary>How many releases of one question are given out; what is older is passed over and said.</summary>
    private const int CaughtUpMax = 1_000;

    /// <summary>A host that starts again, or another that takes over, answers sooner than this.</summary>
    private static readonly TimeSpan LostMax = TimeSpan.FromMinutes(2);

    /// <summary>Told in words when hosts stop answering, and when releases were passed over.</summary>
    public required Action<string> Lost { get; init; }

    /// <summary>The releases, oldest first. Hosts that do not answer are asked again for two minutes.</summary>
    /// <param name="timeout">When to end; null for never.</param>
    /// <param name="cancellationToken">Ends it with an exception.</param>
    /// <exception cref="RippleAdminException">The host refused, or none answered for two minutes.</exception>
    public async IAsyncEnumerable<ReleaseInfo> RunAsync(TimeSpan? timeout, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        long start = Environment.TickCount64;
        long heard = start;
        bool isLost = false;
        (uint Generation, ulong Release)? last = after is { } number ? (0, number) : null;
        while (true)
        {
            List<ReleaseInfo> found = [];
            try
            {
                ApplicationInfo now = await client.GetApplicationAsync(application, cancellationToken).ConfigureAwait(false);
                // A number that was given is one of the generation that is there at first; later a generation that follows begins anew.
                last = last is { Generation: 0 } given ? (now.Generation, given.Release) : last ?? (now.Generation, now.Release);
                if (IsAfter(now.Generation, now.Release, last.Value))
                {
                    found = await NewestAsync(last.Value, cancellationToken).ConfigureAwait(false);
                }

                (heard, isLost) = (Environment.TickCount64, false);
            }
            catch (RippleAdminException e)
                when (e.Failure == AdminFailure.Unreachable && Environment.TickCount64 - heard < LostMax.TotalMilliseconds)
            {
                if (!isLost)
                {
                    isLost = true;
                    Lost($"{e.Message} It is asked again; what is published meanwhile is shown then.");
                }
            }

            foreach (ReleaseInfo info in found)
            {
                yield return info;
                last = (info.Generation, info.Release);
            }

            TimeSpan left = timeout is { } limit
                ? limit - TimeSpan.FromMilliseconds(Environment.TickCount64 - start)
                : Timeout.InfiniteTimeSpan;
            if (timeout is not null && left <= TimeSpan.Zero)
            {
                yield break;
            }

            await Task.Delay(timeout is not null && left < interval ? left : interval, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The releases after the last one, oldest first.</summary>
    private async Task<List<ReleaseInfo>> NewestAsync((uint Generation, ulong Release) last, CancellationToken cancellationToken)
    {
        var found = new List<ReleaseInfo>();
        await foreach (ReleaseInfo info in client.ListReleasesAsync(application, null, cancellationToken).ConfigureAwait(false))
        {
            if (!IsAfter(info.Generation, info.Release, last))
            {
                break;
            }

            if (found.Count == CaughtUpMax)
            {
                Lost($"More than {CaughtUpMax} releases of '{application}' came at once; those before {found[^1].Release} are not shown.");
                break;
            }

            found.Add(info);
        }

        found.Reverse();
        return found;
    }

    private static bool IsAfter(uint generation, ulong release, (uint Generation, ulong Release) last) =>
        generation > last.Generation || (generation == last.Generation && release > last.Release);
}
