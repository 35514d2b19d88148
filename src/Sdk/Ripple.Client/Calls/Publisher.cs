using System.Diagnostics;
using System.Globalization;
using System.Text;
using Ripple.Client.Diagnostics;
using Ripple.Client.Running;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Answer = Ripple.Engine.Protocol.Calls.PublishResult;

namespace Ripple.Client.Calls;

/// <summary>Publishes and rolls back, retrying with the same publish id until a host answers with the outcome.</summary>
internal sealed class Publisher(HostCalls calls, ClientCore core, TimeSpan timeout) : IDisposable
{
    /// <summary>
    /// Maximum number of publishes a client uploads at a time: half the host's limit per connection. Further publishes wait.
    /// </summary>
    public const int UploadsMax = 64;

    /// <summary>
    /// Maximum total size of the keys: <see cref="PublishBegin"/> must fit in one frame, with 8 KiB left for its other fields (the note is
    /// the longest).
    /// </summary>
    private const int KeyBytesMax = WireLimits.ControlBytesMax - 8_192;

    /// <summary>The error message for an expected generation without its release.</summary>
    public const string ExpectedGenerationAlone = "A generation is expected, and no release of it. Give the release too, or neither.";

    /// <summary>Bytes per key in <see cref="PublishBegin"/> besides its text: length (2), flag (1) and length of the value (4).</summary>
    private const int KeyOverheadBytes = sizeof(ushort) + sizeof(byte) + sizeof(uint);

    private readonly SemaphoreSlim _uploadSlots = new(UploadsMax, UploadsMax);

    /// <summary>Publishes key changes as one release.</summary>
    /// <exception cref="RipplePublishException">The request is not valid, or the host refused it.</exception>
    public async Task<PublishResult> PublishAsync(string application, PublishRequest request, CancellationToken cancellationToken)
    {
        (PublishKey[] keys, ReadOnlyMemory<byte>[] values) = Check(application, request);
        using Activity? activity = ClientTelemetry.StartPublish(application);
        string traceParent = ClientTelemetry.TraceParent(activity);
        await _uploadSlots.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await AskAsync(
                application,
                request.PublishId,
                () => new CallAttempt<Answer>(
                    calls.Completions,
                    (link, call) =>
                    {
                        var begin = new PublishBegin(
                            call,
                            application,
                            request.PublishId,
                            ExpectedState.Of(request.ExpectedGeneration, request.ExpectedRelease),
                            request.Note,
                            traceParent,
                            keys);
                        if (!link.TrySend(begin))
                        {
                            return false;
                        }

                        core.Uploads.Add(link, call, values);
                        return true;
                    },
                    answer => answer as Answer,
                    core.Uploads.End),
                cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _uploadSlots.Release();
        }
    }

    /// <summary>Publishes the state of an earlier release as a new one.</summary>
    /// <exception cref="RipplePublishException">The request is not valid, or the host refused it.</exception>
    public Task<PublishResult> RollbackAsync(
        string application, ulong toRelease, string note, ExpectedState expected, Guid publishId, CancellationToken cancellationToken)
    {
        if (ReleaseNames.CheckNote(note) is { } wrong)
        {
            throw new RipplePublishException(ErrorCode.InvalidRequest, wrong, publishId);
        }

        var rollback = new Rollback(0, application, publishId, toRelease, expected, note);
        return AskAsync(
            application,
            publishId,
            () => new CallAttempt<Answer>(
                calls.Completions, (link, call) => link.TrySend(rollback with { Call = call }), answer => answer as Answer),
            cancellationToken);
    }

    /// <summary>Disposes of the semaphore; no publish may be waiting.</summary>
    public void Dispose() => _uploadSlots.Dispose();

    private static (PublishKey[] Keys, ReadOnlyMemory<byte>[] Values) Check(string application, PublishRequest request)
    {
        if ((CompanionName.CheckReleased(application) ?? ReleaseNames.CheckNote(request.Note)) is { } wrong)
        {
            throw Invalid(request, wrong);
        }

        if (request.ExpectedGeneration is not null && request.ExpectedRelease is null)
        {
            throw Invalid(request, ExpectedGenerationAlone);
        }

        if (request.PublishId == Guid.Empty)
        {
            throw Invalid(request, "The publish id is empty. Leave it out, or give a new one.");
        }

        var keys = new List<PublishKey>(request.Set.Count + request.Remove.Count);
        keys.AddRange(request.Set.Select(s => new PublishKey(s.Key, false, (uint)s.Value.Length)));
        keys.AddRange(request.Remove.Select(key => new PublishKey(key, true, 0)));
        if (keys.Count is 0 or > ReleaseLimits.ChangesMax)
        {
            throw Invalid(
                request,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The publish changes {keys.Count} keys; 1 to {ReleaseLimits.ChangesMax} are allowed. Publish in parts."));
        }

        long keyBytes = 0;
        for (int i = 0; i < keys.Count; i++)
        {
            if (ReleaseNames.CheckKey(keys[i].Key) is { } wrongKey)
            {
                throw Invalid(request, wrongKey);
            }

            keyBytes += Encoding.UTF8.GetByteCount(keys[i].Key) + KeyOverheadBytes;
        }

        keys.Sort((a, b) => KeyOrder.Instance.Compare(a.Key, b.Key));
        for (int i = 1; i < keys.Count; i++)
        {
            if (keys[i].Key == keys[i - 1].Key)
            {
                throw Invalid(request, $"The key '{keys[i].Key}' is changed twice. Keep one change of it.");
            }
        }

        long valueBytes = request.Set.Values.Sum(v => (long)v.Length);
        if (valueBytes > ReleaseLimits.PublishBytesMax || keyBytes > KeyBytesMax)
        {
            throw new RipplePublishException(
                ErrorCode.TooLarge,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The publish has {valueBytes} bytes of values and {keyBytes} bytes of keys; "
                    + $"{ReleaseLimits.PublishBytesMax} and {KeyBytesMax} are allowed. Publish in parts."),
                request.PublishId);
        }

        return ([.. keys], [.. keys.Where(k => !k.IsRemove).Select(k => request.Set[k.Key])]);
    }

    private static RipplePublishException Invalid(PublishRequest request, string message) =>
        new(ErrorCode.InvalidRequest, message, request.PublishId);

    private async Task<PublishResult> AskAsync(
        string application, Guid publishId, Func<CallAttempt<Answer>> newAttempt, CancellationToken cancellationToken)
    {
        Answer answer;
        try
        {
            string what = $"the publish {publishId} to '{application}'";
            // A store that failed may have it, and the host that leads next knows: asked again with the same id, it is done once.
            answer = await calls.AskAsync(
                what,
                newAttempt,
                a => a.Code,
                timeout,
                isWait: false,
                cancellationToken,
                a => a.Code == ErrorCode.StoreFailed ? a.Text : null).ConfigureAwait(false);
        }
        catch (RippleTimeoutException e)
        {
            throw new RippleTimeoutException(
                $"{e.Message} Whether it was released is not known: publish again with the same publish id, which releases it once.", e);
        }

        return answer.Code == ErrorCode.None
            ? new PublishResult(application, answer.Generation, answer.Release, answer.Id, publishId)
            : throw new RipplePublishException(
                answer.Code,
                answer.Text.Length > 0 ? answer.Text : $"The host refused the publish: {answer.Code}.",
                publishId,
                answer.Code == ErrorCode.WrongExpectedRelease ? answer.Release : null,
                answer.Code == ErrorCode.WrongExpectedRelease ? answer.Generation : null);
    }
}
