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

    private static string KeyOfPredicate(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return $"predicates/{name}";
    }
}
