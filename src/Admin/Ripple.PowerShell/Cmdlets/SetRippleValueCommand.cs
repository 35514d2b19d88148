using System.Management.Automation;
using Ripple.Admin.Editing;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Sets one place of a JSON document that is the value of a key.</summary>
[Cmdlet(
    VerbsCommon.Set,
    "RippleValue",
    DefaultParameterSetName = "Value",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RippleEdit))]
public sealed class SetRippleValueCommand : EditCommand
{
    /// <summary>The value: text, a number, a Boolean, or null.</summary>
    [Parameter(Mandatory = true, Position = 3, ValueFromPipelineByPropertyName = true, ParameterSetName = "Value")]
    [AllowNull]
    [AllowEmptyString]
    public object? Value { get; set; }

    /// <summary>The value as JSON.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Json")]
    [ValidateNotNullOrEmpty]
    public string Json { get; set; } = string.Empty;

    /// <summary>Makes the objects on the way that are missing.</summary>
    [Parameter]
    public SwitchParameter Create { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord() => Edit("Set", () => ParameterSetName == "Json"
        ? JsonEdit.Set(Pointer, Json, Create.IsPresent)
        : EditText.Set(Pointer, Value, Create.IsPresent));
}
