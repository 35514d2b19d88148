using System.Management.Automation;
using Ripple.Admin;
using Ripple.PowerShell.Output;
using ApplicationInfo = Ripple.Admin.Contracts.ApplicationInfo;

namespace Ripple.PowerShell.Pipeline;

/// <summary>The base of the cmdlets that talk to a cluster: which one is settled when the pipeline begins, and stays.</summary>
public abstract class ConnectedCmdlet : RippleCmdlet
{
    private RippleConnection? _session;

    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected ConnectedCmdlet()
    {
    }

    /// <summary>The connection to use, as Connect-Ripple returned it; the last one made in this process if not given.</summary>
    [Parameter]
    [ValidateNotNull]
    public RippleConnection? Connection { get; set; }

    /// <summary>The connection in use; for <see cref="RippleCmdlet.Work"/>, which makes an error of there being none.</summary>
    internal RippleConnection Session =>
        _session
            ?? throw new CmdletException(
                ErrorCodes.NotConnected,
                "There is no connection to a cluster. Run Connect-Ripple first, with the connection string of an "
                    + "administrator or a publisher, or give -Connection.");

    /// <summary>The client of that connection.</summary>
    internal RippleAdminClient Client => Session.Client;

    /// <summary>Settles the connection: what others connect to meanwhile changes nothing.</summary>
    protected override void BeginProcessing() => _session = Connection ?? RippleSession.Default;

    /// <summary>The result of one call; null after an error record.</summary>
    private protected T? Ask<T>(object? target, Func<CancellationToken, Task<T>> call)
        where T : class
    {
        T? answer = null;
        return Work(target, async (_, c) => answer = await call(c).ConfigureAwait(false)) ? answer : null;
    }

    /// <summary>Asks for confirmation of a change that has no plan of nodes; the question names the cluster.</summary>
    /// <param name="action">The action, without a full stop.</param>
    private protected bool Confirm(string action)
    {
        string text = $"{action} on {Session.Place}";
        return ShouldProcess(text, $"{text}?", "Ripple");
    }

    /// <summary>Names and wildcards; null after an error record.</summary>
    private protected NamePattern? Pattern(string[]? texts)
    {
        NamePattern? pattern = null;
        return Work(texts, (_, _) =>
        {
            pattern = new NamePattern(texts);
            return Task.CompletedTask;
        }) ? pattern : null;
    }

    /// <summary>
    /// The applications given by name, plus those matching a wildcard. The host is asked for a list only if there is a wildcard.
    /// </summary>
    private protected IReadOnlyList<string> Applications(string[] texts)
    {
        if (Pattern(texts) is not { } pattern)
        {
            return [];
        }

        var names = new List<string>(pattern.Literals);
        if (pattern.HasWildcards)
        {
            Work(texts, async (_, cancellationToken) =>
            {
                await foreach (ApplicationInfo application in Client.ListApplicationsAsync(cancellationToken).ConfigureAwait(false))
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
