using System.Collections.Immutable;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

/// <summary>
/// Every answer to a publisher is true: an acknowledged release is that publish, and a refusal was right at some moment between the
/// question and the answer. Publishes that others have under way count as released or not, as it suits the host: it orders them before they
/// are durable.
/// </summary>
internal sealed class AnswerChecker(SimulatedWorld world, ReleaseModel model, Judges judges)
{
    private const string Name = "Answers";
    private const string PublishesName = "Publishes";
    private readonly List<PublishAsk> _asks = [];

    /// <summary>Called before a publish is sent.</summary>
    public PublishAsk OnAsked(PublishIntent intent)
    {
        _asks.RemoveAll(a => a.UnderWayUntilNs < world.Scheduler.NowNs - 60_000_000_000);
        var ask = new PublishAsk(model.Book.Record(intent), world.Scheduler.NowNs);
        _asks.Add(ask);
        return ask;
    }

    /// <summary>Called with the answer; null when the connection was lost before it.</summary>
    public void OnAnswered(PublishAsk ask, PublishResult? answer)
    {
        ArgumentNullException.ThrowIfNull(ask);
        if (answer is null)
        {
            ask.Lose(world.Scheduler.NowNs);
            return;
        }

        ask.End(world.Scheduler.NowNs);
        if (answer.Code != ErrorCode.None && answer.Text.Length == 0)
        {
            world.Fail(Name, $"publish {ask.Intent.Id} was refused as {answer.Code}, without a word");
        }

        switch (answer.Code)
        {
            case ErrorCode.None:
                OnAcknowledged(ask.Intent, answer);
                break;
            case ErrorCode.WrongExpectedRelease:
                OnWrongExpected(ask, answer);
                break;
            case ErrorCode.NothingChanged:
                OnNothingChanged(ask);
                break;
            case ErrorCode.Busy or ErrorCode.StoreFailed or ErrorCode.NotFound:
                break;
            default:
                world.Fail(Name, $"publish {ask.Intent.Id} was refused as {answer.Code}: {answer.Text}");
                break;
        }
    }

    private void OnAcknowledged(PublishIntent asked, PublishResult answer)
    {
        if (model.Of(asked.Application).Find(answer.Id.ToString()) is not { } release)
        {
            world.Fail(Name, $"publish {asked.Id} was acknowledged as {answer.Id}, which was never committed");
            return;
        }

        if (release.Claim.Publish != asked.Id || release.Generation != answer.Generation || release.Release != answer.Release)
        {
            world.Fail(
                Name,
                $"publish {asked.Id} was acknowledged as {answer.Generation}/{answer.Release}, which is {release} of publish "
                    + $"{release.Claim.Publish}");
        }

        if (!asked.Expected.IsAny && release.Release != asked.Expected.Release + 1)
        {
            world.Fail(PublishesName, $"publish {asked.Id} on top of {asked.Expected} became release {release}");
        }

        if ((judges & Judges.Expectations) != 0 && asked.ExpectedName is { } name && release.Previous?.Name != name)
        {
            world.Fail(Name, $"publish {asked.Id} expected {asked.Expected} ({name}) and was released on top of {release.Previous}");
        }
    }

    private void OnWrongExpected(PublishAsk ask, PublishResult answer)
    {
        ExpectedState expected = ask.Intent.Expected;
        if (expected.IsAny)
        {
            world.Fail(Name, $"publish {ask.Intent.Id} expects any release, and was refused for it");
            return;
        }

        long nowNs = world.Scheduler.NowNs;
        List<ModelRelease?> states = [.. model.Of(ask.Intent.Application).NewestWithin(ask.AskedNs, nowNs)];
        List<ulong> newest = [.. states.Select(r => r?.Release ?? 0)];
        ulong others = (ulong)OthersUnderWay(ask);
        if (others == 0 && states.TrueForAll(r => expected.Matches(r?.Generation ?? 0, r?.Release ?? 0)))
        {
            world.Fail(Name, $"publish {ask.Intent.Id} expects {expected} and was refused, though that was the newest all the time");
        }

        if (!newest.Exists(r => answer.Release >= r && answer.Release <= r + others))
        {
            world.Fail(
                Name,
                $"publish {ask.Intent.Id} was told that {answer.Release} is the newest; from the question to the answer it was "
                    + $"{string.Join(", ", newest)}, with {others} other publishes under way");
        }
    }

    private void OnNothingChanged(PublishAsk ask)
    {
        if (OthersUnderWay(ask) > 0)
        {
            return;
        }

        List<ModelRelease?> newest = [.. model.Of(ask.Intent.Application).NewestWithin(ask.AskedNs, world.Scheduler.NowNs)];
        if (!newest.Exists(r => ChangesNothing(r, ask.Intent)))
        {
            world.Fail(Name, $"publish {ask.Intent.Id} changes {newest[0]}, and was told that it changes nothing");
        }
    }

    /// <summary>Setting a key to the bytes it has is a change: a publisher may mean to say that it looked.</summary>
    private static bool ChangesNothing(ModelRelease? newest, PublishIntent intent)
    {
        ImmutableSortedDictionary<string, byte[]> content = newest?.Content ?? ModelRelease.NoContent;
        if (intent.RollbackTo is not { } target)
        {
            return intent.Changes.All(c => c.Value is null && !content.ContainsKey(c.Key));
        }

        ImmutableSortedDictionary<string, byte[]>? past = newest?.At(target)?.Content;
        return past is not null
            && past.Count == content.Count
            && past.All(p => content.TryGetValue(p.Key, out byte[]? bytes) && bytes.AsSpan().SequenceEqual(p.Value));
    }

    private int OthersUnderWay(PublishAsk ask) => _asks.Count(
        a => a.Intent.Application == ask.Intent.Application && a.Intent.Id != ask.Intent.Id && a.UnderWayUntilNs >= ask.AskedNs);
}
