using System.Management.Automation;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using ApplicationInfo = Ripple.Admin.Contracts.ApplicationInfo;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads the applications.</summary>
[Cmdlet(VerbsCommon.Get, "RippleApplication")]
[OutputType(typeof(RippleApplication))]
public sealed class GetRippleApplicationCommand : ConnectedCmdlet
{
    /// <summary>The applications; all that the token may read if not given.</summary>
    [Parameter(Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [SupportsWildcards]
    public string[]? Application { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (Pattern(Application) is not { } names)
        {
            return;
        }

        foreach (string name in names.Literals)
        {
            if (Ask(name, c => Client.GetApplicationAsync(name, c)) is { } info)
            {
                WriteObject(new RippleApplication(info));
            }
        }

        if (names.HasWildcards)
        {
            Work(Application, async (pump, cancellationToken) =>
            {
                await foreach (ApplicationInfo info in Client.ListApplicationsAsync(cancellationToken).ConfigureAwait(false))
                {
                    if (!names.Literals.Contains(info.Name, StringComparer.Ordinal) && names.IsMatch(info.Name))
                    {
                        pump.Post(() => WriteObject(new RippleApplication(info)));
                    }
                }
            });
        }
    }
}
