using System.Management.Automation;
using Ripple.Admin.Editing;
using Ripple.PowerShell.Output;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Removes one place of a JSON document that is the value of a key.</summary>
[Cmdlet(VerbsCommon.Remove, "RippleValue", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RippleEdit))]
public sealed class RemoveRippleValueCommand : EditCommand
{
    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord() => Edit("Remove", () => JsonEdit.Unset(Pointer));
}
