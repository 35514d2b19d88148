using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Publishes the state of a past release as the newest release.</summary>
[Cmdlet(
    VerbsCommon.Undo,
    "RippleRelease",
    DefaultParameterSetName = "Release",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.High)]
[OutputType(typeof(RipplePublished))]
public sealed class UndoRippleReleaseCommand : ChangeCommand
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The release to undo, which must be the newest; the state of the previous one is restored.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true, ParameterSetName = "Release")]
    [ValidateRange(1L, long.MaxValue)]
    public ulong Release { get; set; }

    /// <summary>The generation of the release to undo; 0 for the present one.</summary>
    [Parameter(ValueFromPipelineByPropertyName = true, ParameterSetName = "Release")]
    public uint Generation { get; set; }

    /// <summary>The release whose state is restored, even if that undoes several releases.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "ToRelease")]
    public ulong ToRelease { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        bool isOne = ParameterSetName == "Release";
        string application = Application;
        var request = new RollbackRequest(isOne ? Release - 1 : ToRelease, Note);
        if (!TryReadExpected(out ReleaseNumber? given))
        {
            return;
        }

        // Undoing a release that is not the newest would silently undo later ones too.
        ReleaseNumber? expected = given ?? (isOne ? new ReleaseNumber(Generation == 0 ? null : Generation, Release) : null);
        Change(
            $"Bring back release {request.ToRelease} of",
            application,
            expected,
            c => Client.PlanRollbackAsync(application, request, expected, c),
            (shown, c) => Client.RollbackAsync(application, request, shown, null, c));
    }
}
