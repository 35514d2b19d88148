using System.Diagnostics;
using System.Globalization;
using Ripple.Load.Processes;

namespace Ripple.Load.Push;

/// <summary>What a process of nodes used and saw until a moment: a line that it answers a question with.</summary>
/// <param name="CpuMs">Its processor time.</param>
/// <param name="Verifications">Signatures that it checked.</param>
/// <param name="Skipped">Releases that watches left out.</param>
/// <param name="Bad">Values that did not hash to what they say.</param>
/// <param name="RssMb">Its memory.</param>
/// <param name="Arrivals">Arrivals with the right content, of all its nodes and publishes together.</param>
/// <param name="AtTicks">The moment, on the clock that all processes share.</param>
internal sealed record ClientSample(
    double CpuMs, long Verifications, long Skipped, long Bad, double RssMb, long Arrivals, long AtTicks)
{
    /// <summary>The question that is answered with a sample and nothing else.</summary>
    public const string Question = "counters";

    /// <summary>The question before whose answer everything is told that is not with all nodes.</summary>
    public const string Rest = "rest";

    /// <summary>Of this process now.</summary>
    public static ClientSample Take(long verifications, Arrivals arrivals, long badBeside = 0) => new(
        ProcessCost.CpuMs,
        verifications,
        arrivals.Skipped,
        arrivals.Bad + badBeside,
        ProcessCost.RssMb,
        arrivals.Total,
        Stopwatch.GetTimestamp());

    /// <summary>Reads the words of a line.</summary>
    public static ClientSample Read(string[] words)
    {
        long Number(int index) => long.Parse(words[index], CultureInfo.InvariantCulture);
        return new(ProcessCost.Read(words[1]), Number(2), Number(3), Number(4), ProcessCost.Read(words[5]), Number(6), Number(7));
    }

    /// <summary>The line.</summary>
    public string Line => string.Create(
        CultureInfo.InvariantCulture, $"{Question} {CpuMs:F3} {Verifications} {Skipped} {Bad} {RssMb:F1} {Arrivals} {AtTicks}");
}
