using Ripple.Client.State;
using Ripple.Engine.Interest;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client;

/// <summary>
/// Resolves a client's settings: the options override the connection string, which overrides the defaults. It is located next to the
/// options because they refer to the runtime, which is composed of all rooms; the rooms know only the <see cref="ClientSettings"/> it
/// returns.
/// </summary>
internal static class SettingsResolver
{
    private const int NameLengthMax = 64;

    /// <summary>Resolves and validates the settings.</summary>
    /// <exception cref="RippleException">A setting is missing or not valid; the message says what to write.</exception>
    public static ClientSettings Resolve(string connectionString, RippleClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(connectionString);
        if (!ConnectionString.TryParse(connectionString, out ConnectionString? connection, out string error))
        {
            throw new RippleException(ErrorCode.InvalidRequest, error);
        }

        string application = options.Application ?? connection!.Application
            ?? throw Invalid(
                "No application is named. Write Application=... into the connection string, or set RippleClientOptions.Application.");
        IReadOnlyList<string> interest = options.Interest ?? [];
        CheckApplications(application, interest);
        IReadOnlyList<KeyValuePair<string, string>> labels =
            options.Labels is { } given ? [.. given.OrderBy(l => l.Key, StringComparer.Ordinal)] : connection!.Labels;
        CheckLabels(labels);
        CheckTime(options.ConnectTimeout, nameof(options.ConnectTimeout));
        CheckTime(options.PublishTimeout, nameof(options.PublishTimeout));
        CheckTime(options.CallTimeout, nameof(options.CallTimeout));
        CheckTime(options.AcceptTimeout, nameof(options.AcceptTimeout));
        return new ClientSettings
        {
            Connection = connection!,
            Application = application,
            Zone = CheckName(options.Zone ?? connection!.Zone ?? "default", "RippleClientOptions.Zone"),
            Name = CheckName(options.Name ?? connection!.Name ?? MachineName(), "RippleClientOptions.Name"),
            Interest = interest,
            Labels = labels,
            AcceptRelease = options.AcceptRelease,
            HoldsDecisions = options.HoldsDecisions,
            AcceptTimeout = options.AcceptTimeout,
            SnapshotMode = options.SnapshotMode,
            SnapshotDirectory = options.SnapshotDirectory,
        };
    }

    private static void CheckApplications(string application, IReadOnlyList<string> interest)
    {
        foreach (string name in interest.Prepend(application))
        {
            if (ReleaseNames.CheckApplication(name) is { } wrong)
            {
                throw Invalid($"The application '{name}' is not valid. {wrong}");
            }
        }

        if (interest.Append(application).Distinct(StringComparer.Ordinal).Count() > RegionIdentity.InterestMax)
        {
            throw Invalid(
                $"The interest has more than {RegionIdentity.InterestMax - 1} applications besides its own. Use several clients.");
        }
    }

    private static void CheckLabels(IReadOnlyList<KeyValuePair<string, string>> labels)
    {
        if (labels.Count > ConnectionString.LabelsMax)
        {
            throw Invalid($"There are {labels.Count} labels; {ConnectionString.LabelsMax} is the most.");
        }

        foreach ((string key, string value) in labels)
        {
            CheckName(key, "RippleClientOptions.Labels");
            CheckName(value, "RippleClientOptions.Labels");
        }
    }

    private static string CheckName(string name, string where)
    {
        bool isValid = name.Length is > 0 and <= NameLengthMax && char.IsAsciiLetterOrDigit(name[0])
            && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-');
        return isValid
            ? name
            : throw Invalid(
                $"{where} has '{name}', which is not 1 to {NameLengthMax} of A-Z a-z 0-9 . _ -, starting with a letter or digit.");
    }

    private static void CheckTime(TimeSpan time, string what)
    {
        if (time <= TimeSpan.Zero || time > TimeSpan.FromDays(1))
        {
            throw Invalid($"RippleClientOptions.{what} is {time}. Give more than zero and at most one day.");
        }
    }

    private static string MachineName()
    {
        string name = new([
            .. Environment.MachineName.Take(NameLengthMax).Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-' ? c : '-'),
        ]);
        return name.Length > 0 && char.IsAsciiLetterOrDigit(name[0]) ? name : "node";
    }

    private static RippleException Invalid(string message) => new(ErrorCode.InvalidRequest, message);
}
