namespace Ripple.Architecture.Tests;

/// <summary>Says all that breaks a rule, one line each.</summary>
internal static class Rule
{
    public static void Holds(IEnumerable<string?> violations)
    {
        string[] all = [.. violations.Select(v => v ?? "(unnamed)").Order(StringComparer.Ordinal)];
        if (all.Length > 0)
        {
            Assert.Fail(string.Join(Environment.NewLine, all));
        }
    }
}
