using System.Net.Http.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>What applications say about themselves.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>
    /// The name of the companion application whose releases are the definitions of an application: history, audit, difference and rollback
    /// take it as any other name. Its readers are those of the application, its publishers the application's administrators.
    /// </summary>
    public static string CompanionOf(string application)
    {
        ArgumentException.ThrowIfNullOrEmpty(application);
        return $"${application}";
    }

    /// <summary>The definitions of an application.</summary>
    public Task<DefinitionsInfo> GetDefinitionsAsync(string application, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            HttpCall.Get($"{PathText.Application(application)}/definitions"), AdminJson.Default.DefinitionsInfo, cancellationToken);

    /// <summary>
    /// Gives a predicate a name; from the answer on, waits may give the name instead. Waits under way keep the predicate they began with.
    /// Takes an administrator of the application.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="name">The name: 1 to 64 of <c>a-z 0-9 . _ -</c>, beginning with a letter. One that is there gets another predicate.
    /// </param>
    /// <param name="text">The predicate.</param>
    /// <param name="note">What changed and why; may be empty.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo it.</param>
    /// <returns>The release of the definitions.</returns>
    public Task<PublishResult> SetPredicateAsync(
        string application, string name, string text, string note = "", CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(text);
        return PublishAsync(
            CompanionOf(application),
            new PublishRequest { Set = [new KeyValue { Key = KeyOfPredicate(name), Text = text }], Note = note },
            cancellationToken: cancellationToken);
    }

    /// <summary>Takes the name of a predicate away; as <see cref="SetPredicateAsync"/>. Fails if there is none of that name.</summary>
    public Task<PublishResult> RemovePredicateAsync(
        string application, string name, string note = "", CancellationToken cancellationToken = default) => PublishAsync(
            CompanionOf(application),
            new PublishRequest { Remove = [KeyOfPredicate(name)], Note = note },
            cancellationToken: cancellationToken);

    /// <summary>
    /// Declares a level of the application's own, or says anew what it means; as <see cref="SetPredicateAsync"/>. A level is never taken
    /// away, and an application has at most 8.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="name">The name: 1 to 32 of <c>a-z 0-9 _</c>, beginning with a letter.</param>
    /// <param name="description">What it means; at most 256 characters, may be empty.</param>
    /// <param name="note">What changed and why; may be empty.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo it.</param>
    /// <returns>The release of the definitions.</returns>
    public Task<PublishResult> SetLevelAsync(
        string application, string name, string description = "", string note = "", CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(description);
        return PublishAsync(
            CompanionOf(application),
            new PublishRequest { Set = [new KeyValue { Key = $"levels/{name}", Text = description }], Note = note },
            cancellationToken: cancellationToken);
    }

    /// <summary>Says which zones are an area, for <c>$AREA</c> and <c>$AZ_</c>; as <see cref="SetPredicateAsync"/>.</summary>
    public Task<PublishResult> SetAreaAsync(
        string application, string name, IEnumerable<string> zones, string note = "", CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(zones);
        return PublishAsync(
            CompanionOf(application),
            new PublishRequest { Set = [new KeyValue { Key = $"areas/{name}", Text = string.Join(',', zones) }], Note = note },
            cancellationToken: cancellationToken);
    }

    /// <summary>Takes an area away: its zones are areas by themselves again. Fails if there is none of that name.</summary>
    public Task<PublishResult> RemoveAreaAsync(
        string application, string name, string note = "", CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return PublishAsync(
            CompanionOf(application),
            new PublishRequest { Remove = [$"areas/{name}"], Note = note },
            cancellationToken: cancellationToken);
    }

    /// <summary>
    /// Defines an external, what reports levels and is no process of Ripple's, or says anew what it is; as <see cref="SetPredicateAsync"/>.
    /// An application has at most 8.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="name">The name: 1 to 64 of <c>a-z 0-9 . _ -</c>, beginning with a letter.</param>
    /// <param name="description">What it is; at most 256 characters, may be empty.</param>
    /// <param name="note">What changed and why; may be empty.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo it.</param>
    /// <returns>The release of the definitions.</returns>
    public Task<PublishResult> SetExternalAsync(
        string application, string name, string description = "", string note = "", CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(description);
        return PublishAsync(
            CompanionOf(application),
            new PublishRequest { Set = [new KeyValue { Key = $"externals/{name}", Text = description }], Note = note },
            cancellationToken: cancellationToken);
    }

    /// <summary>
    /// Takes an external away, with what it reported. Waits that count it go on without it. Fails if there is none of that name, or if it
    /// reports in the same moment: ask again.
    /// </summary>
    public async Task<PublishResult> RemoveExternalAsync(
        string application, string name, string note = "", CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        DefinitionsInfo definitions = await GetDefinitionsAsync(application, cancellationToken).ConfigureAwait(false);
        IEnumerable<string> reports = definitions.Externals
            .Where(e => e.Name == name)
            .SelectMany(e => e.Levels, (_, level) => $"reports/{name}/{level.Level}");
        return await PublishAsync(
            CompanionOf(application),
            new PublishRequest { Remove = [$"externals/{name}", .. reports], Note = note },
            cancellationToken: cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Reports a level for an external: that release, and all before it in its generation. Never for a node: those report themselves. Takes
    /// a publisher of the application. Reporting less than before changes nothing.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="external">The external.</param>
    /// <param name="release">The release; a number alone is one of the present generation.</param>
    /// <param name="level">The level, one of the application's own.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo it.</param>
    /// <returns>What counts from then on.</returns>
    /// <exception cref="RippleAdminException">
    /// <see cref="ProblemCodes.NotFound"/>: there is no such external, level or release, and the message names what there is.
    /// <see cref="ProblemCodes.Busy"/>: another report of the same came between; ask again.
    /// </exception>
    public Task<ReportedLevel> ReportAsync(
        string application, string external, ReleaseNumber release, string level, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(external);
        ArgumentException.ThrowIfNullOrEmpty(level);
        var request = new ReportRequest { Level = level, Generation = release.Generation, Release = release.Release };
        string path = $"{PathText.Application(application)}/externals/{Uri.EscapeDataString(external)}/reports";
        return _http.SendAsync(
            new HttpCall(HttpMethod.Post, path) { Content = () => JsonContent.Create(request, AdminJson.Default.ReportRequest) },
            AdminJson.Default.ReportedLevel,
            cancellationToken);
    }

    private static string KeyOfPredicate(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return $"predicates/{name}";
    }
}
