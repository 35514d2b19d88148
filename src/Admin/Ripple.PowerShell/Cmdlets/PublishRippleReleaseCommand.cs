using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Planning;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Publishes key changes. The changes from one pipeline become one release per application.</summary>
[Cmdlet(VerbsData.Publish, "RippleRelease", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RipplePublished))]
public sealed class PublishRippleReleaseCommand : ChangeCommand
{
    private readonly Dictionary<string, PublishDraft> _drafts = new(StringComparer.Ordinal);
    private readonly HashSet<string> _broken = new(StringComparer.Ordinal);
    private bool _isAllBroken;

    /// <summary>The application; that of each item if not given.</summary>
    [Parameter(Position = 0)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    public string? Application { get; set; }

    /// <summary>The key, or a script block that makes it of each item; that of the item if not given, or else its file's name.</summary>
    [Parameter(Position = 1)]
    [ArgumentCompleter(typeof(KeyCompleter))]
    public object? Key { get; set; }

    /// <summary>The value of the key: text, bytes, a number or a Boolean; that of each item if not given.</summary>
    [Parameter(Position = 2)]
    [AllowEmptyString]
    [AllowEmptyCollection]
    public object? Value { get; set; }

    /// <summary>The file that contains the value of the key; that of each item if not given.</summary>
    [Parameter]
    [Alias("PSPath", "FullName")]
    public string? Path { get; set; }

    /// <summary>Removes the key; an item removes its key by a property of this name that is true.</summary>
    [Parameter]
    public SwitchParameter Remove { get; set; }

    /// <summary>A change, by its properties Application, Key, and one of Value, Path (or PSPath, FullName) and Remove.</summary>
    [Parameter(ValueFromPipeline = true)]
    [AllowNull]
    public PSObject? InputObject { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        string? application = null;
        try
        {
            var item = new PublishItem(InputObject);
            application = Application is { Length: > 0 } ? Application : item.GetText("Application");
            Take(item, application ?? throw new CmdletException(
                ErrorCodes.InvalidValue, "The change names no application. Give -Application, or items that have one."));
        }
        catch (Exception e) when (e is RippleAdminException or CmdletException)
        {
            // Never publish only some of the intended changes.
            _isAllBroken |= application is null;
            _broken.Add(application ?? string.Empty);
            WriteError(ErrorCodes.Record(e, InputObject ?? Key ?? Path));
        }
    }

    /// <summary>Publishes one release for each application.</summary>
    protected override void EndProcessing()
    {
        foreach (string application in _drafts.Keys.Where(a => _isAllBroken || _broken.Contains(a)))
        {
            WriteWarning($"Nothing of '{application}' was published: a release is whole, and not every change could be taken.");
        }

        foreach (PublishDraft draft in _drafts.Values.Where(d => !_isAllBroken && !_broken.Contains(d.Application)))
        {
            PublishRequest request = draft.ToRequest(Note);
            if (!TryReadExpected(out ReleaseNumber? expected))
            {
                return;
            }

            Change(
                "Publish to",
                draft.Application,
                expected,
                c => Client.PlanPublishAsync(draft.Application, request, expected, c),
                (shown, c) => Client.PublishAsync(draft.Application, request, shown, null, c));
        }
    }

    private void Take(PublishItem item, string application)
    {
        if (!_drafts.TryGetValue(application, out PublishDraft? draft))
        {
            _drafts.Add(application, draft = new PublishDraft(application));
        }

        object? value = Value ?? item.Get("Value");
        string? path = Path is { Length: > 0 } ? Path : item.GetText("Path", "PSPath", "FullName");
        bool removes = Remove.IsPresent || item.IsTrue("Remove");
        string? key = item.Name(Key, "Key") ?? item.GetText("Key");
        if (path is not null)
        {
            path = GetUnresolvedProviderPathFromPSPath(path);
            key ??= System.IO.Path.GetFileName(path);
        }

        string named = key
            ?? throw new CmdletException(ErrorCodes.InvalidValue, "The change names no key. Give -Key, or items that have one.");
        switch (value, path, removes)
        {
            case (not null, null, false):
                ValueText.Set(draft, named, value);
                break;
            case (null, not null, false):
                draft.Set(named, ConfigFile.Read(path));
                break;
            case (null, null, true):
                draft.Remove(named);
                break;
            default:
                throw new CmdletException(
                    ErrorCodes.InvalidValue,
                    $"The change of '{named}' {(value is null && path is null ? "has no value" : "says more than one thing")}. "
                        + "Give one of Value, Path and Remove.");
        }
    }
}
