using System.Net.Http.Json;
using System.Security.Cryptography;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>Events by attributes.</content>
public sealed partial class RippleAdminClient
{
    private const string SpaceKey = "space";

    /// <summary>Tells this client from others with its token; below 2^53, which every reader of JSON keeps.</summary>
    private readonly long _emitterEpoch =
        ((long)RandomNumberGenerator.GetInt32(1 << 20) << 32) + RandomNumberGenerator.GetInt32(1, int.MaxValue);
    private long _emitted;

    /// <summary>
    /// Sets the space of an application's events. Subscriptions that do not fit in it end, and their subscribers are told. Takes an
    /// administrator of the application.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="text">
    /// The dimensions, 1 to 16: <c>price:real:0..1000:USD volume:integer:0..1e6 at:time:2026-01-01..2027-01-01</c>.
    /// </param>
    /// <param name="note">What changed and why; may be empty.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo it.</param>
    /// <returns>The release of the definitions.</returns>
    public Task<PublishResult> SetSpaceAsync(
        string application, string text, string note = "", CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(text);
        return PublishAsync(
            CompanionOf(application),
            new PublishRequest { Set = [new KeyValue { Key = SpaceKey, Text = text }], Note = note },
            cancellationToken: cancellationToken);
    }

    /// <summary>The subscriptions that would get an event with these values; a dimension that is not given is open.</summary>
    /// <param name="application">The application.</param>
    /// <param name="point">Values by dimension, as text.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    public Task<SpaceSubscribers> ExplainSpaceAsync(
        string application, IReadOnlyDictionary<string, string> point, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(point);
        return _http.SendAsync(
            HttpCall.Get(PathText.Query(
                $"{PathText.Application(application)}/space/subscribers",
                ("point", string.Join(',', point.Select(p => $"{p.Key}={p.Value}"))))),
            AdminJson.Default.SpaceSubscribers,
            cancellationToken);
    }

    /// <summary>
    /// Emits an event. If the connection is lost it is emitted again, as the same event. The host alone keeps it: a node of the cluster
    /// keeps its events over starts of the host, this does not. Takes a publisher of the application.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="point">A value for each dimension of the space, as text.</param>
    /// <param name="bytes">What it carries; at most 64 KiB.</param>
    /// <param name="until">How far it is to be when this returns.</param>
    /// <param name="cancellationToken">Stops waiting; does not take it back.</param>
    public Task<EmittedEvent> EmitAsync(
        string application,
        IReadOnlyDictionary<string, string> point,
        ReadOnlyMemory<byte> bytes = default,
        EmitStage until = EmitStage.Delivered,
        CancellationToken cancellationToken = default)
    {
        var request = new EmitRequest
        {
            Point = point,
            Bytes = bytes.ToArray(),
            Until = until,
            Epoch = _emitterEpoch,
            Number = Interlocked.Increment(ref _emitted),
        };
        var call = new HttpCall(HttpMethod.Post, $"{PathText.Application(application)}/events")
        {
            Content = () => JsonContent.Create(request, AdminJson.Default.EmitRequest),
        };
        return _http.SendAsync(call, AdminJson.Default.EmittedEvent, cancellationToken);
    }

    /// <summary>
    /// Subscribes to events: those that are in all of the ranges, from now on. An event counts as taken once it was sent, so a lost
    /// connection may lose some; a node of the cluster misses none. Goes on at a host that can be reached.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="where">Half-open ranges, as <c>price=10..20</c>; a dimension that is not there is open.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="RippleAdminException">The host refused, the space was changed, or no host can be reached.</exception>
    public IAsyncEnumerable<SpaceEvent> SubscribeAsync(
        string application, IEnumerable<string> where, CancellationToken cancellationToken = default) =>
        SubscribeAsync(application, where, block: false, cancellationToken);

    /// <inheritdoc cref="SubscribeAsync(string, IEnumerable{string}, CancellationToken)"/>
    /// <param name="application">The application.</param>
    /// <param name="where">Half-open ranges, as <c>price=10..20</c>; a dimension that is not there is open.</param>
    /// <param name="block">
    /// Whether emitters of such events wait while they are read more slowly than they come, instead of the oldest being lost; for at most
    /// 5 s in which nothing is read (an option of the host).
    /// </param>
    /// <param name="cancellationToken">Ends it.</param>
    public IAsyncEnumerable<SpaceEvent> SubscribeAsync(
        string application, IEnumerable<string> where, bool block, CancellationToken cancellationToken = default) =>
        new EventStream(_http, _options).ReadAsync(
            PathText.Query(
                $"{PathText.Application(application)}/events",
                ("where", string.Join(',', where)),
                ("block", block ? "true" : null)),
            AdminRoutes.SpaceEvent,
            AdminJson.Default.SpaceEvent,
            cancellationToken);
}
