using System.Globalization;
using Ripple.Engine.Core;

namespace Ripple.Simulator.Oracles;

/// <summary>The validators of all processes: a pure function, so every life of a process judges a release alike.</summary>
internal static class Verdicts
{
    // Longer than what a ring brings of a reason.
    private const string Long = ", which says at such length what is wrong with the release that not all of it goes into a token of a ring";

    /// <summary>Null if the validators of a process accept a release; otherwise the reason, which names the release.</summary>
    /// <param name="seed">The seed of the world.</param>
    /// <param name="machine">The index of the process's machine.</param>
    /// <param name="rejectShare">The share of releases that the process rejects.</param>
    /// <param name="release">The release.</param>
    public static string? ReasonOf(ulong seed, int machine, double rejectShare, ulong release) =>
        new DeterministicRandom(seed ^ release ^ ((ulong)machine << 32)).NextBool(rejectShare)
            ? string.Create(CultureInfo.InvariantCulture, $"the validator's rule {release,10}{(release % 2 == 0 ? string.Empty : Long)}")
            : null;
}
