using Ripple.Admin.Contracts;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Expands wildcards into names.</summary>
internal static class Names
{
    /// <summary>
    /// The applications given by name, plus those matching a wildcard. The host is asked for a list only if there is a wildcard.
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
