using Ripple.Admin.Contracts;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Wildcards become names.</summary>
internal static class Names
{
    /// <summary>
    /// The applications meant: those named, and those that a wildcard matches. A list is asked for only where there is a wildcard.
    /// </summary>
    public static IReadOnlyList<string> Applications(RippleCmdlet cmdlet, string[] texts)
    {
        var pattern = new NamePattern(texts);
        var names = new List<string>(pattern.Literals);
        if (pattern.HasWildcards)
        {
            cmdlet.Work(texts, async (_, cancellationToken) =>
            {
                await foreach (ApplicationInfo application in RippleSession.Require().ListApplicationsAsync(
                    cancellationToken).ConfigureAwait(false))
                {
                    if (pattern.IsMatch(application.Name) && !names.Contains(application.Name))
                    {
                        names.Add(application.Name);
                    }
                }
            });
        }

        return names;
    }
}
