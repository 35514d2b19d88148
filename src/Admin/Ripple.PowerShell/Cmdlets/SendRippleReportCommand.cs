using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reports a level of an application's own for an external.</summary>
[Cmdlet(VerbsCommunications.Send, "RippleReport", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RippleReport))]
public sealed class SendRippleReportCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The release: <c>2/101</c> with its generation, or <c>101</c> alone; all before it are reported with it.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true)]
    [ValidateNotNullOrEmpty]
    public string Release { get; set; } = string.Empty;

    /// <summary>The level.</summary>
    [Parameter(Mandatory = true, Position = 2)]
    [ValidateNotNullOrEmpty]
    public string Level { get; set; } = string.Empty;

    /// <summary>The external that reports.</summary>
    [Parameter(Mandatory = true, Position = 3)]
    [ValidateNotNullOrEmpty]
    public string External { get; set; } = string.Empty;

    /// <summary>Writes what counts from then on.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, string level, string external) = (Application, Level, External);
        if (!ReleaseNumber.TryParse(Release, out ReleaseNumber release))
        {
            string text = $"'{Release}' is not a release. Give 101, or 2/101 with its generation.";
            WriteError(ErrorCodes.Record(new CmdletException(ProblemCodes.InvalidRequest, text), Release));
            return;
        }

        string question =
            $"Report {ShownText.Line(level)} of release {release} of {ShownText.Line(application)} for {ShownText.Line(external)}";
        if (Work(external, (_, _) => Task.FromResult(Session))
            && Confirm(question)
            && Ask(external, c => Client.ReportAsync(application, external, release, level, c)) is { } reported
            && PassThru.IsPresent)
        {
            WriteObject(new RippleReport(application, external, reported));
        }
    }
}
