using System.Globalization;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>What is said to a publisher whose expected release is not the newest.</summary>
internal static class WrongExpectation
{
    /// <summary>What is the newest, and what was expected. Both are named with generations if the expectation was.</summary>
    /// <param name="newest">The newest state.</param>
    /// <param name="generation">Its generation.</param>
    /// <param name="expected">What was expected.</param>
    public static string Text(ReleaseState newest, uint generation, ExpectedState expected)
    {
        ExpectedState present = new(expected.Generation == 0 ? 0 : generation, newest.Release);
        return string.Create(CultureInfo.InvariantCulture, $"The newest release of '{newest.Application}' is {present}, not {expected}. ");
    }
}
