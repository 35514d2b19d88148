using System.Globalization;

namespace Ripple.Attacks.Runs;

/// <summary>The rules that hold for every attack. Pure.</summary>
internal static class Judgement
{
    /// <summary>A p99 up to here is good whatever the baseline was.</summary>
    public const double GoodP99Ms = 50;

    /// <summary>How many times the baseline's p99 it may be.</summary>
    public const double P99RatioMax = 2;

    /// <summary>What the runtime keeps between collections, in megabytes: memory is judged no finer.</summary>
    public const double SlackMb = 50;

    /// <summary>What was broken, each in some words; empty when the product held.</summary>
    /// <param name="during">The honest application during the attack.</param>
    /// <param name="before">The same before it.</param>
    /// <param name="peakMb">The host's memory above its start.</param>
    /// <param name="afterMb">What was left of that at last.</param>
    /// <param name="printedMb">What the host says the rooms attacked may take.</param>
    /// <param name="isNamed">Whether the attacker was named; null where nobody could.</param>
    public static IEnumerable<string> Broken(
        Measured during, Measured before, double peakMb, double afterMb, double printedMb, bool? isNamed)
    {
        if (during.Lost > 0)
        {
            yield return Text($"{during.Lost} of {during.Published} publishes did not reach everybody");
        }

        double p99MsMax = Math.Max(P99RatioMax * (before.P99Ms ?? 0), GoodP99Ms);
        if (during.P99Ms > p99MsMax)
        {
            yield return Text($"p99 {during.P99Ms:F0} ms, at most {p99MsMax:F0}");
        }

        if (peakMb > printedMb + SlackMb)
        {
            yield return Text($"memory grew by {peakMb:F0} MB, printed are {printedMb:F0}");
        }

        if (afterMb > SlackMb)
        {
            yield return Text($"{afterMb:F0} MB were not given back");
        }

        if (isNamed == false)
        {
            yield return "no log names the attacker";
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
