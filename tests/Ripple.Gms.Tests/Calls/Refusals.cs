using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Gms.Tests.Calls;

/// <summary>What a refusal must be: its code and its text, to the letter.</summary>
internal static class Refusals
{
    /// <summary>What is told of a store that takes nothing more now.</summary>
    public const string StoreBusy = "The host's store has too much waiting. Try again, with the same publish id where there is one.";

    /// <summary>What is told of a store that failed: its own words are for the host's log.</summary>
    public const string StoreFailed =
        "The host's store did not do it; the host's log says more. Try again, and tell who runs the host if it stays.";

    public static void Is(ErrorCode code, string text, PublishResult answer) => Is(code, text, answer.Code, answer.Text);

    public static void Is(ErrorCode code, string text, HistoryResult answer)
    {
        Assert.Empty(answer.Entries);
        Is(code, text, answer.Code, answer.Text);
    }

    public static void Is(ErrorCode code, string text, ReadKeyResult answer)
    {
        Assert.Equal(0u, answer.Length);
        Is(code, text, answer.Code, answer.Text);
    }

    public static void Is(ErrorCode code, string text, WaitResult answer) => Is(code, text, answer.Code, answer.Text);

    public static void Is(ErrorCode code, string text, StatusResult answer)
    {
        Assert.True(answer.IsLast);
        Assert.Empty(answer.Rows);
        Is(code, text, answer.Code, answer.Text);
    }

    public static void Is(ErrorCode code, string text, CallResult answer) => Is(code, text, answer.Code, answer.Text);

    private static void Is(ErrorCode expectedCode, string expectedText, ErrorCode code, string text) =>
        Assert.Equal((expectedCode, expectedText), (code, text));
}
