using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Planning;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Publishes key changes. The changes from one pipeline become one release per application.</summary>
[Cmdlet(
    VerbsData.Publish,
    "RippleRelease",
    DefaultParameterSetName = "Value",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RipplePublished))]
public sealed class PublishRippleReleaseCommand : ChangeCommand
{
    private readonly Dictionary<string, PublishDraft> _drafts = new(StringComparer.Ordinal);
    private readonly HashSet<string> _broken = new(StringComparer.Ordinal);

    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The key; with a file, the file's name if not given.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true, ParameterSetName = "Value")]
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true, ParameterSetName = "Remove")]
    [Parameter(Position = 1, ValueFromPipelineByPropertyName = true, ParameterSetName = "File")]
    [ArgumentCompleter(typeof(KeyCompleter))]
    [ValidateNotNullOrEmpty]
    public string? Key { get; set; }

    /// <summary>The value of the key: text, bytes, a number or a Boolean.</summary>
    [Parameter(Mandatory = true, Position = 2, ValueFromPipelineByPropertyName = true, ParameterSetName = "Value")]
    [AllowEmptyString]
    [AllowEmptyCollection]
    public object? Value { get; set; }

    /// <summary>The file that contains the value of the key.</summary>
    [Parameter(Mandatory = true, ValueFromPipelineByPropertyName = true, ParameterSetName = "File")]
    [Alias("PSPath", "FullName")]
    [ValidateNotNullOrEmpty]
    public string? Path { get; set; }

    /// <summary>Removes the key.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Remove")]
    public SwitchParameter Remove { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (!_drafts.TryGetValue(Application, out PublishDraft? draft))
        {
            _drafts.Add(Application, draft = new PublishDraft(Application));
        }

        try
        {
            Take(draft);
        }
        catch (Exception e) when (e is RippleAdminException or CmdletException)
        {
            // Never publish only some of the intended changes.
            _broken.Add(Application);
            WriteError(ErrorCodes.Record(e, Key ?? Path));
        }
    }

    /// <summary>Publishes one release for each application.</summary>
    protected override void EndProcessing()
    {
        foreach (PublishDraft draft in _drafts.Values)
        {
            if (_broken.Contains(draft.Application))
            {
                WriteWarning($"Nothing of '{draft.Application}' was published: a release is whole, and not every change could be taken.");
                continue;
            }

            PublishRequest request = draft.ToRequest(Note);
            if (!TryReadExpected(out ReleaseNumber? expected))
            {
                return;
            }

            var publishId = Guid.NewGuid();
            Change(
                "Publish to",
                draft.Application,
                c => Client.PlanPublishAsync(draft.Application, request, expected, c),
                c => Client.PublishAsync(draft.Application, request, expected, publishId, c));
        }
    }

    private void Take(PublishDraft draft)
    {
        switch (ParameterSetName)
        {
            case "Remove":
                draft.Remove(Key!);
                break;
            case "File":
                string path = GetUnresolvedProviderPathFromPSPath(Path!);
                draft.Set(Key ?? System.IO.Path.GetFileName(path), Read(path));
                break;
            default:
                ValueText.Set(draft, Key!, Value);
                break;
        }
    }

    /// <summary>Reads the file byte for byte.</summary>
    private static byte[] Read(string path)
    {
        try
        {
            long lengthBytes = new FileInfo(path).Length;
            if (lengthBytes > AdminLimits.ValueBytesMax)
            {
                throw new CmdletException(
                    ProblemCodes.TooLarge,
                    $"'{path}' has {lengthBytes} bytes; a value has at most {AdminLimits.ValueBytesMax}. Split it over several keys.");
            }

            return File.ReadAllBytes(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CmdletException(ErrorCodes.Unreadable, $"'{path}' cannot be read: {e.Message}", e);
        }
    }
}
